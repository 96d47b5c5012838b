import { AuthError, type AuthErrorCause, type PasskeyCheck } from "./auth-error.ts";

/** The account cannot be used to sign in because its e-mail address belongs to a user who signed in another way. */
export class AccountNotLinked extends AuthError {
  /** Identifies the error in code and logs. Visitors see `OAuthAccountNotLinked`, or `SessionRequired` if their last sign-in is too old. */
  static override type = "OAuthAccountNotLinked" as const;
}

/**
 * Thrown by `authorize()` if the credentials are invalid. A subclass may set its own `code`, which appears in the URL and must
 * not reveal anything about the account.
 */
export class CredentialsSignin extends AuthError {
  /** Identifies the error in code and logs. The sign-in page shows it as `error=CredentialsSignin`. */
  static override type = "CredentialsSignin" as const;
  /** Added to the URL as `code`, so that the sign-in page can distinguish reasons. Not secret. */
  code = "credentials";
}

/** The user may not sign in: `callbacks.signIn` denied it or threw, or the provider returned `access_denied`. */
export class AccessDenied extends AuthError {
  /** Identifies the error in code and logs. The error page shows it as `error=AccessDenied`. */
  static override type = "AccessDenied" as const;
}

/** A method of the database adapter failed. */
export class AdapterError extends AuthError {
  /** Identifies the error in code and logs. Visitors see `Configuration`, or at a sign-up `OAuthCreateAccount` or `EmailCreateAccount`. */
  static override type = "AdapterError" as const;
  /** Set if the error occurred while a new user was created; determines the text that the visitor sees. */
  during: "oauth-sign-up" | "email-sign-up" | undefined;
}

/** A function that the application supplied failed. */
export class CallbackRouteError extends AuthError {
  /** Identifies the error in code and logs. Visitors see `Configuration`, or `Callback` if they can start again. */
  static override type = "CallbackRouteError" as const;
}

/** The configured error page itself requires a session, so showing an error causes another one. */
export class ErrorPageLoop extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "ErrorPageLoop" as const;
}

/** An event handler failed; the outcome of the request is not affected. */
export class EventError extends AuthError {
  /** Identifies the error in logs. Visitors never see it. */
  static override type = "EventError" as const;
}

/** The redirect target is not a valid URL. */
export class InvalidCallbackUrl extends AuthError {
  /** Identifies the error in code and logs. The sign-in page shows it as `error=Callback`. */
  static override type = "InvalidCallbackUrl" as const;
}

/** The callback does not match a sign-in that was started in this browser, or it arrived late or twice. */
export class InvalidCheck extends AuthError {
  /** Identifies the error in code and logs. The sign-in page shows it as `error=OAuthCallbackError`. */
  static override type = "InvalidCheck" as const;
}

/** A provider lacks an endpoint, or has one that must not be used. */
export class InvalidEndpoints extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "InvalidEndpoints" as const;
}

/** No provider with that id is configured. */
export class InvalidProvider extends AuthError {
  /** Identifies the error in code and logs. The error page shows its default text. */
  static override type = "InvalidProvider" as const;
}

/** A session token could not be created or read. */
export class JWTSessionError extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "JWTSessionError" as const;
}

/** The session is temporarily unavailable because a callback or the database failed. The user stays signed in. */
export class SessionUnavailable extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "SessionUnavailable" as const;
}

/** The configuration needs a database adapter. */
export class MissingAdapter extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "MissingAdapter" as const;
}

/** The database adapter lacks methods that the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "MissingAdapterMethods" as const;
}

/** A credentials provider has no `authorize` function. */
export class MissingAuthorize extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "MissingAuthorize" as const;
}

/** The form was sent by another site, or its CSRF token is missing or stale. */
export class MissingCSRF extends AuthError {
  /** Identifies the error in code and logs. The sign-in page shows it as `error=Signin`. */
  static override type = "MissingCSRF" as const;

  /** `stale`: probably a genuine form that was open for too long. */
  readonly reason: "cross-site" | "stale";

  constructor(message: string, reason: "cross-site" | "stale") {
    super(message);
    this.reason = reason;
  }
}

/** The provider reported an error, or its response was rejected. */
export class OAuthCallbackError extends AuthError {
  /** Identifies the error in code and logs. The sign-in page shows it as `error=OAuthCallbackError`. */
  static override type = "OAuthCallbackError" as const;
}

/** The provider's profile could not be converted to a user. */
export class OAuthProfileParseError extends AuthError {
  /** Identifies the error in code and logs. The sign-in page shows it as `error=OAuthCallbackError`. */
  static override type = "OAuthProfileParseError" as const;
}

/** The sign-in could not start. */
export class OAuthSignInError extends AuthError {
  /** Identifies the error in code and logs. The sign-in page shows it as `error=OAuthSignin`. */
  static override type = "OAuthSignInError" as const;
}

/** A session in the database could not be read. */
export class SessionTokenError extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "SessionTokenError" as const;
}

/** The session could not be ended. */
export class SignOutError extends AuthError {
  /**
   * Identifies the error in code and logs. Visitors see `Configuration`, or `SignOutIncomplete` if only a copy of the
   * session may be left.
   */
  static override type = "SignOutError" as const;
}

/** No route matches the path. */
export class UnknownAction extends AuthError {
  /** Identifies the error in code and logs. The error page shows it as `error=AccessDenied`. */
  static override type = "UnknownAction" as const;
}

/** `session.strategy` is not an existing strategy. */
export class UnsupportedStrategy extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "UnsupportedStrategy" as const;
}

/** The host of the request is not trusted, and no public URL is configured. */
export class UntrustedHost extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "UntrustedHost" as const;
}

/** A forwarded host or protocol header is malformed. */
export class InvalidHost extends AuthError {
  /** Identifies the error in code and logs. The error page shows it as `error=AccessDenied`. */
  static override type = "InvalidHost" as const;
  /** The HTTP status, which Express and others answer with if the application passes the error on. */
  readonly status = 400;
}

/** The body of the request could not be read. */
export class InvalidRequest extends AuthError {
  /** Identifies the error in code and logs. The error page shows its default text. */
  static override type = "InvalidRequest" as const;
  /** The HTTP status of the response. */
  readonly status: 400 | 413 | 415;

  constructor(message: string, status: 400 | 413 | 415, err?: unknown) {
    super(message, err instanceof Error ? { cause: { err } } : {});
    this.status = status;
  }
}

/** The e-mail link is invalid, was used before or has expired. */
export class Verification extends AuthError {
  /** Identifies the error in code and logs. The error page shows it as `error=Verification`. */
  static override type = "Verification" as const;
}

/** The e-mail with the sign-in link could not be sent. */
export class EmailSignInError extends AuthError {
  /** Identifies the error in code and logs. The sign-in page shows it as `error=EmailSignin`. */
  static override type = "EmailSignInError" as const;
  /** `address`: the submitted text is not an e-mail address. `sending`: the e-mail could not be sent. */
  readonly reason: "address" | "sending";

  constructor(message: string, reason: "address" | "sending", cause: AuthErrorCause = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Only one passkey provider can offer autofill. */
export class DuplicateConditionalUI extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "DuplicateConditionalUI" as const;
}

/** Passkey autofill needs a form field with `autocomplete` ending in `webauthn`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "MissingWebAuthnAutocomplete" as const;
}

/** The passkey was rejected. The log names the failed check (`cause.check`); users see the same text in every case. */
export class WebAuthnVerificationError extends AuthError {
  /** Identifies the error in code and logs. Visitors see `Callback`, or `SessionRequired` if their last sign-in is too old. */
  static override type = "WebAuthnVerificationError" as const;
  /** The check that failed. */
  readonly check: PasskeyCheck;

  constructor(message: string, check: PasskeyCheck, cause: AuthErrorCause = {}) {
    super(message, { cause: { check, ...cause } });
    this.check = check;
  }
}

/** No secret is configured. */
export class MissingSecretError extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "MissingSecretError" as const;
}

/** The configuration is invalid. */
export class InvalidConfiguration extends AuthError {
  /** Identifies the error in code and logs. Visitors see only `error=Configuration`. */
  static override type = "InvalidConfiguration" as const;
}

export type { ErrorPageParam, ErrorType, PasskeyCheck, SignInPageErrorParam } from "./auth-error.ts";
export { AuthError, type AuthErrorCause, type AuthErrorOptions, isAuthError } from "./auth-error.ts";
