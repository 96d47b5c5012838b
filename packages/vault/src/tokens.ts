import type { TokenSet } from "@cardea/extend";

/**
 * Why a user has to consent again. `missing`: there is no refresh token. `revoked`: the provider no longer accepts it.
 * `lost`: a process terminated while exchanging it. `scope`: a requested scope was not granted. `not-linked`: the user
 * has no account at the provider.
 */
export type ReauthCause = "missing" | "revoked" | "lost" | "scope" | "not-linked";

/** The stored tokens of an account. */
export interface KeptTokens {
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
  readonly idToken: string | undefined;
  /** In seconds since the epoch; undefined if the provider did not report it. */
  readonly expiresAt: number | undefined;
  readonly scope: string | undefined;
  readonly tokenType: string | undefined;
  /** Why the refresh token was removed. */
  readonly gone: Extract<ReauthCause, "revoked" | "lost"> | undefined;
}

export const NO_TOKENS: KeptTokens = {
  accessToken: undefined,
  refreshToken: undefined,
  idToken: undefined,
  expiresAt: undefined,
  scope: undefined,
  tokenType: undefined,
  gone: undefined,
};

/** A response without a refresh token, ID token or scope keeps the existing ones (RFC 6749 §5.1, §6). */
export function merge(before: KeptTokens, granted: TokenSet): KeptTokens {
  const refreshToken = textOf(granted.refresh_token) ?? before.refreshToken;
  return {
    accessToken: textOf(granted.access_token),
    refreshToken,
    idToken: textOf(granted.id_token) ?? before.idToken,
    expiresAt: typeof granted.expires_at === "number" ? granted.expires_at : undefined,
    scope: textOf(granted.scope) ?? before.scope,
    tokenType: textOf(granted.token_type),
    gone: refreshToken === undefined ? before.gone : undefined,
  };
}

/** A non-empty string, otherwise undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
