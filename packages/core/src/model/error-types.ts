/** Values of `error` that the built-in error page explains (docs/errors.md). */
export type ErrorPageParam = "Configuration" | "AccessDenied" | "Verification" | "SignOutIncomplete";

/** Values of `error` that the built-in sign-in page explains (docs/errors.md). */
export type SignInPageErrorParam =
  | "Signin"
  | "OAuthSignin"
  | "OAuthCallbackError"
  | "OAuthCreateAccount"
  | "EmailCreateAccount"
  | "Callback"
  | "OAuthAccountNotLinked"
  | "EmailSignin"
  | "CredentialsSignin"
  | "SessionRequired"
  | "SessionEnded";

/**
 * Errors after which a visitor is sent to the sign-in page, to try again or choose another method. All others lead to the
 * error page.
 */
export const SIGN_IN_ERRORS = [
  "OAuthAccountNotLinked",
  "CredentialsSignin",
  "EmailSignInError",
  "InvalidCallbackUrl",
  "InvalidCheck",
  "MissingCSRF",
  "OAuthCallbackError",
  "OAuthProfileParseError",
  "OAuthSignInError",
  "WebAuthnVerificationError",
] as const satisfies readonly ErrorType[];

/** One of {@link SIGN_IN_ERRORS}. */
export type SignInErrorType = (typeof SIGN_IN_ERRORS)[number];

/** Identifies an error; the same in logs, in code and in the documentation. */
export type ErrorType =
  | "AuthError"
  | "OAuthAccountNotLinked"
  | "CredentialsSignin"
  | "AccessDenied"
  | "AdapterError"
  | "CallbackRouteError"
  | "ErrorPageLoop"
  | "EventError"
  | "InvalidCallbackUrl"
  | "InvalidCheck"
  | "InvalidEndpoints"
  | "InvalidProvider"
  | "JWTSessionError"
  | "SessionUnavailable"
  | "MissingAdapter"
  | "MissingAdapterMethods"
  | "MissingAuthorize"
  | "MissingCSRF"
  | "OAuthCallbackError"
  | "OAuthProfileParseError"
  | "OAuthSignInError"
  | "SessionTokenError"
  | "SignOutError"
  | "UnknownAction"
  | "UnsupportedStrategy"
  | "UntrustedHost"
  | "InvalidHost"
  | "InvalidRequest"
  | "Verification"
  | "EmailSignInError"
  | "DuplicateConditionalUI"
  | "MissingWebAuthnAutocomplete"
  | "WebAuthnVerificationError"
  | "MissingSecretError"
  | "InvalidConfiguration";

/** The passkey check that failed, for the log (`cause.check`). */
export type PasskeyCheck =
  /** There is no challenge for this browser, provider and operation from the last 15 minutes. */
  | "challenge"
  /** The challenge was already used. */
  | "replay"
  /** A user signed in or out after the passkey request was started. */
  | "session"
  /** The last sign-in is too old for adding a passkey. */
  | "stale-sign-in"
  /** The client data belongs to the other operation (registration or authentication). */
  | "type"
  | "origin"
  /** The passkey was used in a frame of another site. */
  | "cross-origin"
  /** The client data is bound to another TLS connection. */
  | "token-binding"
  | "rp-id"
  | "user-presence"
  | "user-verification"
  /** The backup flags are inconsistent, or differ from the registration. */
  | "backup"
  /** The key uses an algorithm that was not offered. */
  | "algorithm"
  /** The counter went backwards: the key may have been copied. */
  | "counter"
  | "unknown-credential"
  /** The credential belongs to a different user than the one requested, or than its user handle names. */
  | "other-person"
  /** The credential is already registered. */
  | "known-credential"
  | "signature"
  | "attestation"
  /** In production, and the relying party is not configured. The operator must fix this. */
  | "relying-party";
