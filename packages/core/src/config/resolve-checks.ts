import type { Check, OAuthProvider } from "../model/oauth-provider.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";

/**
 * Absent and `[]` mean the defaults. `state` is always used, and for OpenID Connect without PKCE also `nonce`. Some
 * providers, such as LinkedIn, support neither PKCE nor nonce: if a provider object requests neither, a missing nonce is
 * accepted.
 */
export function resolveChecks(provider: OAuthProvider): {
  readonly checks: ResolvedOAuthProvider["checks"];
  readonly warnings: readonly string[];
} {
  const given: readonly Check[] = provider.checks ?? [];
  const listed = new Set<Check>(given.length === 0 ? ["pkce", "state", "nonce"] : given);
  const pkce = listed.has("pkce");
  const none = `checks-none: provider "${provider.id}" disables all checks. PKCE is off; state is still checked, and so is a nonce that an OpenID Connect provider returns.`;
  const isOpenId = provider.type === "oidc";
  const allowsMissingNonce = isOpenId && !pkce && !listed.has("nonce");
  const loose = `nonce-optional: the checks of provider "${provider.id}" include neither "pkce" nor "nonce", so ID tokens without a nonce are accepted. Add one of them if the provider supports it.`;
  return {
    checks: { pkce, nonce: isOpenId && (listed.has("nonce") || !pkce), allowsMissingNonce },
    warnings: listed.has("none") ? [none] : allowsMissingNonce ? [loose] : [],
  };
}
