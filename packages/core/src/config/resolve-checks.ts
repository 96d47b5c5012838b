import type { Check, OAuthProvider } from "../model/provider.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-config.ts";

/**
 * Absent and `[]` mean the defaults; `state` is always used, `nonce` too for OpenID Connect without PKCE. Some providers, such
 * as LinkedIn, know no PKCE and return no nonce either: where a provider object asks for neither, a missing nonce is accepted.
 */
export function resolveChecks(provider: OAuthProvider): {
  readonly checks: ResolvedOAuthProvider["checks"];
  readonly warnings: readonly string[];
} {
  const given: readonly Check[] = provider.checks ?? [];
  const listed = new Set<Check>(given.length === 0 ? ["pkce", "state", "nonce"] : given);
  const pkce = listed.has("pkce");
  const none = `checks-none: provider "${provider.id}" asks for no checks; PKCE is off, state is kept, and for OpenID Connect a nonce is sent and checked where it comes back.`;
  const isOpenId = provider.type === "oidc";
  const allowsMissingNonce = isOpenId && !pkce && !listed.has("nonce");
  const loose = `nonce-optional: the checks of provider "${provider.id}" name neither "pkce" nor "nonce", so that an ID token without a nonce is accepted; add one of them if the provider supports it.`;
  return {
    checks: { pkce, nonce: isOpenId && (listed.has("nonce") || !pkce), allowsMissingNonce },
    warnings: listed.has("none") ? [none] : allowsMissingNonce ? [loose] : [],
  };
}
