import type { AuthError } from "./auth-error.ts";
import type { Awaitable, Profile, TokenSet } from "./records.ts";

/** Metadata of a provider's server (RFC 8414, OIDC Discovery §3). */
export interface ProviderMetadata {
  /** The issuer; undefined for an OAuth 2.0 provider without one. */
  readonly issuer: string | undefined;
  /** OIDC RP-Initiated Logout §2.1; undefined if missing or not https. */
  readonly endSessionEndpoint: string | undefined;
  /** RFC 7009 §2; undefined if missing or not https. */
  readonly revocationEndpoint: string | undefined;
  /** Whether the server announces back-channel logout (OIDC Back-Channel Logout §2.1). */
  readonly backchannelLogout: boolean;
  /** Whether logout tokens contain the session id (OIDC Back-Channel Logout §2.1). */
  readonly backchannelLogoutSession: boolean;
}

/** A refresh of tokens (RFC 6749 §6). */
export interface RefreshRequest {
  /** The refresh token to exchange. The provider may replace it. */
  readonly refreshToken: string;
  /** Values of `scope`, separated by spaces; absent: unchanged. */
  readonly scope?: string | undefined;
  /** The previous ID token. A new one must have the same issuer, subject and audience (OIDC Core §12.2). */
  readonly idToken?: string | undefined;
  /** Response timeout in milliseconds; the default and maximum is the timeout of provider requests. */
  readonly within?: number | undefined;
  /** Called immediately before the request is sent. If it returns false, the request is not sent. */
  readonly beforeSend?: (() => Awaitable<boolean>) | undefined;
}

/** The result of a refresh. */
export type RefreshResult =
  | { readonly kind: "tokens"; readonly tokens: TokenSet }
  /** An error of RFC 6749 §5.2, such as `invalid_grant`. */
  | { readonly kind: "refused"; readonly error: string; readonly description: string | undefined }
  /** There was no usable response. If `sent`, the provider may have consumed the refresh token. */
  | { readonly kind: "failed"; readonly sent: boolean; readonly error: AuthError }
  /** `beforeSend` returned false. */
  | { readonly kind: "stopped" };

/** A request to an API with an access token. */
export interface PresentedRequest {
  /** The URL to call. */
  readonly url: URL;
  /** The HTTP method, upper-case; part of the DPoP proof (RFC 9449 §4.2). */
  readonly method: string;
  /** Request headers, without the access token. */
  readonly headers: Headers;
  /**
   * Sends the request with exactly these headers. Called a second time if the API requires a nonce in the proof (RFC
   * 9449 §9).
   */
  readonly send: (headers: Record<string, string>) => Promise<Response>;
}

/** Expected properties of a provider's JWT. */
export interface ExpectedJwt {
  /** Accepted values of the header `typ`, without `application/` (RFC 8725 §3.11). */
  readonly types: readonly string[];
  /** Whether a token without `typ` is accepted; default false. */
  readonly allowsMissingType?: boolean | undefined;
}

/** The result of verifying a JWT. */
export type VerifiedJwt =
  | { readonly kind: "verified"; readonly header: Profile; readonly claims: Profile }
  /** Why it was rejected, for the log. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * Operations of a configured OAuth 2.0 or OpenID Connect provider, with the limits of all provider requests
 * (docs/behaviour.md#oauth).
 */
export interface ProviderTools {
  /** The provider's id in this configuration. */
  readonly id: string;
  /** The name on its sign-in button. */
  readonly name: string;
  /** `oidc` if it issues ID tokens, otherwise `oauth`. */
  readonly type: "oauth" | "oidc";
  /** The application's client id at the provider. */
  readonly clientId: string;
  /** The configured `scope`; undefined without one. */
  readonly scope: string | undefined;
  /**
   * Returns the server's metadata, cached for an hour.
   *
   * @throws InvalidEndpoints, or errors of fetching it.
   */
  metadata(): Promise<ProviderMetadata>;
  /**
   * Returns the provider's own parameters of the request that ends a session; undefined if it accepts those of OIDC RP-Initiated Logout §2.
   *
   * @param returnTo the URL to which the provider must redirect the browser.
   */
  endSessionParams(returnTo: string): Readonly<Record<string, string>> | undefined;
  /**
   * Exchanges a refresh token, with the hooks of the provider object: `clientSecret` as a function, `token.params`,
   * `token.body`, `token.conform`, and `token.request`, which receives the parameters `grant_type=refresh_token` and
   * `refresh_token`. Never throws.
   */
  refresh(request: RefreshRequest): Promise<RefreshResult>;
  /**
   * Revokes a token (RFC 7009 §2.1).
   *
   * @returns false if the provider has no revocation endpoint.
   * @throws OAuthCallbackError if the token could not be revoked.
   */
  revoke(token: string, hint: "access_token" | "refresh_token"): Promise<boolean>;
  /**
   * Sends an access token to an API: in the header `Authorization` (RFC 6750 §2.1) and, for a provider with `dpop`,
   * with a proof of its key (RFC 9449 §7.1). The caller is responsible for the target URL.
   */
  present(accessToken: string, request: PresentedRequest): Promise<Response>;
  /**
   * Verifies a JWT that the provider signed for this client (RFC 8725): type, algorithm, signature, exact issuer,
   * audience, and times if present. Requests for unknown keys are limited as for ID tokens.
   *
   * @throws AuthError if the keys could not be read, so that the token could not be verified.
   */
  verifyJwt(token: string, expected: ExpectedJwt): Promise<VerifiedJwt>;
}
