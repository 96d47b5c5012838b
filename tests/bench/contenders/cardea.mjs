// This library, as an application uses it.
import { createAuth, customFetch } from "@cardea/core";
import { credentialsProvider, oauthProvider, providerFetch, secret } from "../application.mjs";

const silent = {
  error: (error) => {
    throw error;
  },
  warn: () => undefined,
  debug: () => undefined,
};

/**
 * As {@link createFloor}; `perRequest` gives the configuration as a function. With the cache of opened tokens at its smallest each
 * token is looked up and none is found: every read is the first of its token.
 */
export async function createCardea({ adapter, claims, renew = false, perRequest = false, tokenCache = 0 } = {}) {
  const config = () => ({
    secret,
    trustHost: true,
    basePath: "/auth",
    logger: silent,
    providers: [credentialsProvider, { ...oauthProvider, [customFetch]: providerFetch }],
    session: { strategy: adapter === undefined ? "jwt" : "database", ...(renew ? { updateAge: 0 } : {}) },
    jwt: { tokenCache },
    ...(adapter === undefined ? {} : { adapter }),
    ...(claims === undefined
      ? {}
      : { callbacks: { jwt: ({ token, user }) => (user ? { ...token, ...claims } : token) } }),
  });
  const { auth, handlers } = createAuth(perRequest ? config : config());
  return { read: (request) => auth(request), handle: (request) => handlers[request.method](request) };
}
