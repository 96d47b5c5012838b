import { isPlainObject } from "../config/merge-options.ts";
import type { OAuthProvider } from "../model/oauth-provider.ts";

type Members = Readonly<Record<PropertyKey, unknown>>;

/** Members that are a URL, and endpoints, which are a URL or an object with one. `issuer` is text, and compared as such. */
const URLS = ["wellKnown", "jwks_endpoint", "redirectProxyUrl"];
const ENDPOINTS = ["authorization", "token", "userinfo"];

/**
 * The members of a provider object, as the checks at startup and the resolver both read them: null is absent, and a `URL` is its
 * text. The types of the others are checked by `findOAuthProblems`.
 */
export function readOAuthProvider(members: Members): OAuthProvider {
  const given = withoutNull(members);
  const urls = URLS.map((name) => [name, toText(given[name])]);
  const endpoints = ENDPOINTS.map((name) => {
    const endpoint = isPlainObject(given[name]) ? withoutNull(given[name]) : given[name];
    return [
      name,
      isPlainObject(endpoint) && "url" in endpoint ? { ...endpoint, url: toText(endpoint.url) } : toText(endpoint),
    ];
  });
  return assumeOAuth({ ...given, ...Object.fromEntries([...urls, ...endpoints]) });
}

const toText = (value: unknown) => (value instanceof URL ? value.href : value);

/** Symbol keys are included. */
function withoutNull(members: Members): Members {
  const names = Reflect.ownKeys(members).filter((name) => members[name] !== null);
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

function assumeOAuth(members: Members): OAuthProvider {
  return members as unknown as OAuthProvider;
}
