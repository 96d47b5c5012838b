import type { AuthError } from "./auth-error.ts";
import type { Awaitable, Profile, TokenSet } from "./records.ts";

/** What a provider's server announces (RFC 8414, OIDC Discovery §3). */
export interface ProviderMetadata {
  /** Undefined for an OAuth 2 provider without one. */
  readonly issuer: string | undefined;
  /** OIDC RP-Initiated Logout §2.1; undefined where there is none, or where it is not https. */
  readonly endSessionEndpoint: string | undefined;
  /** RFC 7009 §2; undefined where there is none, or where it is not https. */
  readonly revocationEndpoint: string | undefined;
  /** Whether it announces back-channel logout (OIDC Back-Channel Logout §2.1). */
  readonly backchannelLogout: boolean;
  /** Whether its logout tokens name the session (OIDC Back-Channel Logout §2.1). */
  readonly backchannelLogoutSession: boolean;
}

/** A refresh of tokens (RFC 6749 §6). */
export interface RefreshRequest {
  readonly refreshToken: string;
  /** Values of `scope`, separated by spaces; absent: as before. */
  readonly scope?: string | undefined;
  /** The former ID token: a new one must have its issuer, subject and audience (OIDC Core §12.2). */
  readonly idToken?: string | undefined;
  /** Milliseconds until the answer must have arrived; at most, and by default, those of every request to a provider. */
  readonly within?: number | undefined;
  /** Called immediately before the request is sent; with false it is not. */
  readonly beforeSend?: (() => Awaitable<boolean>) | undefined;
}

/** What a refresh came to. */
export type RefreshResult =
  | { readonly kind: "tokens"; readonly tokens: TokenSet }
  /** An error of RFC 6749 §5.2, such as `invalid_grant`. */
  | { readonly kind: "refused"; readonly error: string; readonly description: string | undefined }
  /** No answer that could be used. When `sent`, the provider may have consumed the refresh token. */
  | { readonly kind: "failed"; readonly sent: boolean; readonly error: AuthError }
  /** `beforeSend` returned false. */
  | { readonly kind: "stopped" };

/** A request to an API with an access token. */
export interface PresentedRequest {
  readonly url: URL;
  readonly method: string;
  /** Without the access token. */
  readonly headers: Headers;
  /** Makes the request, with exactly these headers; called a second time where the API wants a nonce in the proof (RFC 9449 §9). */
  readonly send: (headers: Record<string, string>) => Promise<Response>;
}

/** What the JWT of a provider is expected to be. */
export interface ExpectedJwt {
  /** Accepted values of the header `typ`, without `application/` (RFC 8725 §3.11). */
  readonly types: readonly string[];
  /** Whether a token without `typ` is accepted; default false. */
  readonly allowsMissingType?: boolean | undefined;
}

/** What verifying a JWT came to. */
export type VerifiedJwt =
  | { readonly kind: "verified"; readonly header: Profile; readonly claims: Profile }
  /** Why it is refused, in words for the log. */
  | { readonly kind: "refused"; readonly why: string };

/** A configured OAuth 2 or OpenID Connect provider, called with the limits of every request to a provider (docs/behaviour.md#oauth). */
export interface ProviderTools {
  readonly id: string;
  readonly name: string;
  readonly type: "oauth" | "oidc";
  readonly clientId: string;
  /** The configured `scope`; undefined without one. */
  readonly scope: string | undefined;
  /**
   * What its server announces; kept for an hour.
   *
   * @throws InvalidEndpoints, or what fetching it threw.
   */
  metadata(): Promise<ProviderMetadata>;
  /**
   * Exchanges a refresh token, with the hooks of the provider object: `clientSecret` as a function, `token.params`, `token.body`,
   * `token.conform`, and `token.request`, which is given the parameters `grant_type=refresh_token` and `refresh_token`. Never throws.
   */
  refresh(request: RefreshRequest): Promise<RefreshResult>;
  /**
   * Revokes a token (RFC 7009 §2.1).
   *
   * @returns false when the provider has no revocation endpoint.
   * @throws OAuthCallbackError when it could not be revoked.
   */
  revoke(token: string, hint: "access_token" | "refresh_token"): Promise<boolean>;
  /**
   * Presents an access token to an API: in the header `Authorization` (RFC 6750 §2.1), and for a provider with `dpop` with the proof of
   * its key (RFC 9449 §7.1). Where the request goes is the caller's to decide.
   */
  present(accessToken: string, request: PresentedRequest): Promise<Response>;
  /**
   * Verifies a JWT that the provider signed for this client (RFC 8725): its type, an algorithm of the configuration or of the metadata,
   * the signature, exactly its issuer, the audience, and its times where it has them. Unknown keys fall under the same limits as those of
   * ID tokens.
   *
   * @throws AuthError when the keys could not be read: nothing is known of the token then.
   */
  verifyJwt(token: string, expected: ExpectedJwt): Promise<VerifiedJwt>;
}
