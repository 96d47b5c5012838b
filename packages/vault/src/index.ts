/** Provider access tokens: encrypted at rest, and refreshed once across all servers. */

export { type FetchAs, fetchAs } from "./fetch-as.ts";
export type { TokenOwner } from "./find-home.ts";
export { ReauthRequired, type ReauthSignIn } from "./reauth-required.ts";
export { RefreshFailed } from "./refresh.ts";
export { revokeTokens } from "./revoke-tokens.ts";
export type { VaultOptions, VaultProviderOptions } from "./settings.ts";
export { type AccessToken, type TokenRequest, tokenOf } from "./token-of.ts";
export type { ReauthCause } from "./tokens.ts";
export { vault } from "./vault.ts";
