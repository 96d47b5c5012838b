// One visitor, signed in with each library through its own handlers, and how each library reads the session then.
import { Auth } from "@auth/core";
import { getToken } from "@auth/core/jwt";
import { createAuth } from "@cardea/core";

/** Where the application is said to be; nothing is sent there. */
export const origin = "https://app.example.com";

const person = { id: "user-0001", name: "Ann Example", email: "ann@example.com", image: `${origin}/ann.png` };

const provider = {
  id: "credentials",
  name: "Credentials",
  type: "credentials",
  credentials: { username: {}, password: {} },
  authorize: () => person,
};

/** Cardea: `auth(request)`, which checks the token and answers with the session. */
export async function cardea({ madeWith, readWith, claims }) {
  const options = { trustHost: true, basePath: "/auth", providers: [provider] };
  const callbacks = { jwt: ({ token, user }) => (user ? { ...token, ...claims } : token) };
  const cookies = await signIn(createAuth({ ...options, secret: madeWith, callbacks }).handlers);
  const { auth } = createAuth({ ...options, secret: readWith });
  return {
    cookieHeader: toHeader(cookies),
    sessionCookies: sessionCookiesOf(cookies),
    read: auth,
    claimsOf: createAuth({ ...options, secret: readWith, callbacks: { session: ({ token }) => token } }).auth,
    cookiesSetOnRead: async (request) => {
      const headers = new Headers();
      await auth(request, headers);
      const response = await auth(() => new Response("page"))(request);
      return headers.getSetCookie().length + response.headers.getSetCookie().length;
    },
  };
}

/** Auth.js: `getToken`, its shortest way, which checks the token and answers with its claims. */
export async function authJs({ madeWith, readWith, claims }) {
  const jwt = ({ token, user }) => (user ? { ...token, ...claims } : token);
  const config = { secret: madeWith, trustHost: true, basePath: "/auth", providers: [provider], callbacks: { jwt } };
  const handle = (request) => Auth(request, config);
  const cookies = await signIn({ GET: handle, POST: handle });
  const secret = readWith.length === 1 ? readWith[0] : readWith;
  const read = (req) => getToken({ req, secret, secureCookie: true });
  return { cookieHeader: toHeader(cookies), sessionCookies: sessionCookiesOf(cookies), read, claimsOf: read };
}

/** Signs in as a browser would: the token against forged requests, then the form. Gives all cookies that were set. */
async function signIn({ GET, POST }) {
  const cookies = new Map();
  const csrf = await GET(new Request(`${origin}/auth/csrf`));
  keepCookies(cookies, csrf);
  const { csrfToken } = await csrf.json();
  const body = new URLSearchParams({ csrfToken, username: "ann", password: "correct", callbackUrl: `${origin}/` });
  const headers = { cookie: toHeader(cookies), origin };
  keepCookies(
    cookies,
    await POST(new Request(`${origin}/auth/callback/credentials`, { method: "POST", headers, body })),
  );
  if (sessionCookiesOf(cookies).length === 0) throw new Error("the sign-in set no session cookie");
  return cookies;
}

function keepCookies(cookies, response) {
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
    cookies.set(name, value);
    if (value === "" || /max-age=0\b/i.test(line)) cookies.delete(name);
  }
}

function toHeader(cookies) {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

function sessionCookiesOf(cookies) {
  return [...cookies].filter(([name]) => /session-token(?:\.\d+)?$/.test(name));
}
