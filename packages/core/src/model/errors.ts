import { AuthError, type AuthErrorCause } from "./auth-error.ts";
import type { PasskeyCheck } from "./error-types.ts";

/** The account cannot be used to sign in because its e-mail address belongs to a user who signed in another way. */
export class AccountNotLinked extends AuthError {
  static override type = "OAuthAccountNotLinked" as const;
  static override kind = "signIn" as const;
}

/**
 * Thrown by `authorize()` when the credentials do not fit. A subclass may set its own `code`; it appears in the URL, so it
 * must not reveal anything (spec 7).
 */
export class CredentialsSignin extends AuthError {
  static override type = "CredentialsSignin" as const;
  static override kind = "signIn" as const;
  code = "credentials";
}

/** The person may not sign in: `callbacks.signIn` said no or threw, or the provider answered `access_denied`. */
export class AccessDenied extends AuthError {
  static override type = "AccessDenied" as const;
}

/** A method of the database adapter failed. */
export class AdapterError extends AuthError {
  static override type = "AdapterError" as const;
  /** Set when it happened while a new user was being made; decides what the person reads. */
  during: "oauth-sign-up" | "email-sign-up" | undefined;
}

/** Something that the application supplied failed while a sign-in was being completed. */
export class CallbackRouteError extends AuthError {
  static override type = "CallbackRouteError" as const;
}

/** The configured error page is itself protected, so that showing an error leads to the next one. */
export class ErrorPageLoop extends AuthError {
  static override type = "ErrorPageLoop" as const;
}

/** An event handler failed; the outcome of the request is not affected. */
export class EventError extends AuthError {
  static override type = "EventError" as const;
}

/** The URL to return to is not a URL. */
export class InvalidCallbackUrl extends AuthError {
  static override type = "InvalidCallbackUrl" as const;
  static override kind = "signIn" as const;
}

/** The callback does not belong to a sign-in that this browser began, or it came too late or twice. */
export class InvalidCheck extends AuthError {
  static override type = "InvalidCheck" as const;
  static override kind = "signIn" as const;
}

/** A provider lacks an endpoint, or its endpoint may not be used. */
export class InvalidEndpoints extends AuthError {
  static override type = "InvalidEndpoints" as const;
}

/** No provider with that id is configured. */
export class InvalidProvider extends AuthError {
  static override type = "InvalidProvider" as const;
}

/** A session token could not be made or read. */
export class JWTSessionError extends AuthError {
  static override type = "JWTSessionError" as const;
}

/** Whether there is a session cannot be said right now: a callback or the database failed. Nobody is signed out. */
export class SessionUnavailable extends AuthError {
  static override type = "SessionUnavailable" as const;
}

/** The configuration needs a database adapter. */
export class MissingAdapter extends AuthError {
  static override type = "MissingAdapter" as const;
}

/** The database adapter lacks methods that the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  static override type = "MissingAdapterMethods" as const;
}

/** A credentials provider has no `authorize` function. */
export class MissingAuthorize extends AuthError {
  static override type = "MissingAuthorize" as const;
}

/** The form was sent by another site, or its CSRF token is missing or stale. */
export class MissingCSRF extends AuthError {
  static override type = "MissingCSRF" as const;
  static override kind = "signIn" as const;

  /** `stale`: an honest form that was open for too long, as far as can be told. */
  readonly reason: "cross-site" | "stale";

  constructor(message: string, reason: "cross-site" | "stale") {
    super(message);
    this.reason = reason;
  }
}

/** The provider reported an error, or its answer was refused. */
export class OAuthCallbackError extends AuthError {
  static override type = "OAuthCallbackError" as const;
  static override kind = "signIn" as const;
}

/** What the provider said of the person could not be turned into a user. */
export class OAuthProfileParseError extends AuthError {
  static override type = "OAuthProfileParseError" as const;
  static override kind = "signIn" as const;
}

/** The sign-in could not be begun at the provider. */
export class OAuthSignInError extends AuthError {
  static override type = "OAuthSignInError" as const;
  static override kind = "signIn" as const;
}

/** A session in the database could not be read. */
export class SessionTokenError extends AuthError {
  static override type = "SessionTokenError" as const;
}

/** The session could not be ended. */
export class SignOutError extends AuthError {
  static override type = "SignOutError" as const;
}

/** There is no such action. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction" as const;
}

/** The session strategy does not fit the rest of the configuration. */
export class UnsupportedStrategy extends AuthError {
  static override type = "UnsupportedStrategy" as const;
}

/** The host of the request may not be trusted, and no public URL is configured. */
export class UntrustedHost extends AuthError {
  static override type = "UntrustedHost" as const;
}

/** A forwarded host or protocol header is malformed. */
export class InvalidHost extends AuthError {
  static override type = "InvalidHost" as const;
}

/** The body of the request could not be read. */
export class InvalidRequest extends AuthError {
  static override type = "InvalidRequest" as const;

  /** The HTTP status that says so. */
  readonly status: 400 | 413 | 415;

  constructor(message: string, status: 400 | 413 | 415, err?: unknown) {
    super(message, err instanceof Error ? { cause: { err } } : {});
    this.status = status;
  }
}

/** The e-mail link is invalid, was used before or has expired. */
export class Verification extends AuthError {
  static override type = "Verification" as const;
}

/** The e-mail with the sign-in link could not be sent. */
export class EmailSignInError extends AuthError {
  static override type = "EmailSignInError" as const;
  static override kind = "signIn" as const;
  /** `address`: what was typed is no address; `sending`: the mail could not be sent. */
  readonly reason: "address" | "sending";

  constructor(message: string, reason: "address" | "sending", cause: AuthErrorCause = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Only one passkey provider can offer autofill. */
export class DuplicateConditionalUI extends AuthError {
  static override type = "DuplicateConditionalUI" as const;
}

/** Passkey autofill needs a form field with `autocomplete` ending in `webauthn`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = "MissingWebAuthnAutocomplete" as const;
}

/** The passkey was refused. The log says why (`cause.check`); the person reads one text for all of it. */
export class WebAuthnVerificationError extends AuthError {
  static override type = "WebAuthnVerificationError" as const;
  static override kind = "signIn" as const;
  /** What did not hold. */
  readonly check: PasskeyCheck;

  constructor(message: string, check: PasskeyCheck, cause: AuthErrorCause = {}) {
    super(message, { cause: { check, ...cause } });
    this.check = check;
  }
}

/** No secret is configured. */
export class MissingSecretError extends AuthError {
  static override type = "MissingSecretError" as const;
}

/** The configuration is invalid. */
export class InvalidConfiguration extends AuthError {
  static override type = "InvalidConfiguration" as const;
}

export { AuthError, type AuthErrorCause, type AuthErrorOptions, isAuthError } from "./auth-error.ts";
export type { ErrorPageParam, ErrorType, PasskeyCheck, SignInPageErrorParam } from "./error-types.ts";
