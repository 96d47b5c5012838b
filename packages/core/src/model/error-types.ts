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
