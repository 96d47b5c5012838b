/** Values of `error` that the built-in error page explains (docs/errors.md). */
export type ErrorPageParam = "Configuration" | "AccessDenied" | "Verification";

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
  | "SessionRequired";

/** Errors after which a visitor lands on the sign-in page, to try again or another way; after any other it is the error page. */
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

/** What tells the errors of this library apart; the same in logs, in code and in the documentation. */
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

/** What a passkey can be refused for, in the log (`cause.check`). */
export type PasskeyCheck =
  /** No challenge of this browser, provider and ceremony that is younger than 15 minutes. */
  | "challenge"
  /** The challenge was used before. */
  | "replay"
  /** Somebody has signed in or out since the ceremony began. */
  | "session"
  /** The sign-in behind the session is too long ago to add a passkey. */
  | "stale-sign-in"
  /** Client data of the other ceremony. */
  | "type"
  | "origin"
  /** The browser ran the ceremony in a frame of another site. */
  | "cross-origin"
  /** Bound to a TLS connection that is not ours. */
  | "token-binding"
  | "rp-id"
  | "user-presence"
  | "user-verification"
  /** Flags of backup that cannot be, or are not those of the registration. */
  | "backup"
  /** A key of an algorithm that was not offered. */
  | "algorithm"
  /** A counter that went backwards: the key may have been copied. */
  | "counter"
  | "unknown-credential"
  /** The credential of another person than the one who was asked for. */
  | "other-person"
  /** To be registered, but there already. */
  | "known-credential"
  | "signature"
  | "attestation"
  /** In production, and nothing says which relying party this is: for the operator to fix. */
  | "relying-party";
