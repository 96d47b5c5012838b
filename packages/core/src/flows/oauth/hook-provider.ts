import type { AuthorizationServer } from "oauth4webapi";
import type { OAuthProvider } from "../../model/oauth-provider.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-provider.ts";

/**
 * The provider that its own hooks (`token.request`, `userinfo.request`) receive: as configured, but with the endpoints that would be
 * requested without the hook. As in Auth.js, their URLs contain the `params`, so that a hook that uses `userinfo.url` sends those of
 * the application.
 */
export function hookProvider(
  { source, token, userinfo }: ResolvedOAuthProvider,
  { token_endpoint, userinfo_endpoint }: AuthorizationServer,
): OAuthProvider {
  return {
    ...source,
    token: { ...token, url: token_endpoint && endpointUrl(token_endpoint, token.params) },
    userinfo: { ...userinfo, url: userinfo_endpoint && endpointUrl(userinfo_endpoint, userinfo.params) },
  };
}

/** The URL of an endpoint with its `params`. */
export function endpointUrl(endpoint: string, params: Readonly<Record<string, string>>): URL {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url;
}
