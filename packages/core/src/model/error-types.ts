/** Values of `error` that the built-in error page explains (spec 7). */
export type ErrorPageParam = "Configuration" | "AccessDenied" | "Verification";

/** Values of `error` that the built-in sign-in page explains (spec 7). */
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
  | "rp-id"
  | "user-presence"
  | "user-verification"
  /** A counter that went backwards: the key may have been copied. */
  | "counter"
  | "unknown-credential"
  /** The credential of another person than the one who was asked for. */
  | "other-person"
  /** To be registered, but there already. */
  | "known-credential"
  | "signature"
  | "attestation"
  /** In production, and nothing says which relying party this is: the operator's to mend. */
  | "relying-party";
