// What every contender serves: one origin, one user, one provider of each kind, one secret.

/** Where the application is said to be; nothing is sent there. */
export const origin = "https://app.example.com";
export const secret = "bench-secret-of-forty-four-characters-000001";
export const user = { id: "user-0001", name: "Ann Example", email: "ann@example.com", image: `${origin}/ann.png` };
export const month = 30 * 24 * 60 * 60;

/** About this many bytes of cookie. */
export const claimsOf = (bytes) => ({
  permissions: Array.from({ length: bytes / 46 }, (_, n) => `project-${n}:read,write,administer`),
});

const answers = {
  "/token": () => ({ access_token: "an-access-token-0123456789", token_type: "bearer", expires_in: 3600 }),
  "/userinfo": () => ({ id: "42", name: user.name, email: user.email }),
};

/** What stands in for the network: the token endpoint and the userinfo endpoint of the provider. */
export const providerFetch = async (input) => {
  const url = new URL(input instanceof Request ? input.url : input);
  return Response.json(answers[url.pathname]());
};

export const oauthProvider = {
  id: "op",
  name: "Provider",
  type: "oauth",
  clientId: "id",
  clientSecret: "a-client-secret-0123456789",
  authorization: { url: "https://op.example.com/authorize", params: { scope: "profile" } },
  token: "https://op.example.com/token",
  userinfo: "https://op.example.com/userinfo",
  checks: ["pkce", "state"],
  profile: ({ id, name, email }) => ({ id, name, email }),
};

export const credentialsProvider = {
  id: "credentials",
  name: "Credentials",
  type: "credentials",
  credentials: { username: {}, password: {} },
  authorize: () => user,
};

/** A request to the application, with the headers that a browser behind a proxy sends. */
export function request(path, cookies = "", init = {}) {
  const headers = {
    host: "app.example.com",
    "user-agent": "bench",
    accept: "*/*",
    ...(cookies === "" ? {} : { cookie: cookies }),
    ...init.headers,
  };
  return new Request(`${origin}${path}`, { ...init, headers });
}

/** A form sent by a page of the application. */
export function form(path, cookies, fields) {
  return request(path, cookies, { method: "POST", headers: { origin }, body: new URLSearchParams(fields) });
}

/** Rows in memory, as an adapter: what is measured is the library, not the database. */
export function createAdapter() {
  const sessions = new Map();
  const copy = (row) => (row === undefined ? null : { ...row });
  return {
    sessions,
    createUser: async (data) => ({ ...data, id: user.id }),
    getUser: async () => ({ ...user, emailVerified: null }),
    getUserByEmail: async () => null,
    getUserByAccount: async () => ({ ...user, emailVerified: null }),
    updateUser: async (data) => ({ ...user, emailVerified: null, ...data }),
    linkAccount: async (account) => account,
    createSession: async (row) => copy(sessions.set(row.sessionToken, { ...row }).get(row.sessionToken)),
    getSessionAndUser: async (token) => {
      const session = copy(sessions.get(token));
      return session === null ? null : { session, user: { ...user, emailVerified: null } };
    },
    updateSession: async (row) =>
      copy(sessions.set(row.sessionToken, { ...sessions.get(row.sessionToken), ...row }).get(row.sessionToken)),
    deleteSession: async (token) => void sessions.delete(token),
    createVerificationToken: async (row) => row,
    useVerificationToken: async () => null,
  };
}
