// Auth.js: its handler, and `getToken`, the shortest way it has to read a session token.
import { Auth, customFetch } from "@auth/core";
import { getToken } from "@auth/core/jwt";
import { credentialsProvider, oauthProvider, providerFetch, secret } from "../application.mjs";

/** As {@link createFloor}; `perRequest` makes a new configuration for each request, which it does not tell apart. */
export async function createAuthJs({ adapter, claims, renew = false } = {}) {
  const config = () => ({
    secret,
    trustHost: true,
    basePath: "/auth",
    logger: {
      error: (error) => {
        throw error;
      },
      warn: () => undefined,
      debug: () => undefined,
    },
    providers: [credentialsProvider, { ...oauthProvider, [customFetch]: providerFetch }],
    session: { strategy: adapter === undefined ? "jwt" : "database", ...(renew ? { updateAge: 0 } : {}) },
    ...(adapter === undefined ? {} : { adapter }),
    ...(claims === undefined
      ? {}
      : { callbacks: { jwt: ({ token, user }) => (user ? { ...token, ...claims } : token) } }),
  });
  const handle = (request) => Auth(request, config());
  return {
    handle,
    readToken: (req) => getToken({ req, secret, secureCookie: true }),
    read: async (request) => (await handle(new Request(new URL("/auth/session", request.url), request))).json(),
  };
}
