import type {
  ErrorPageParam,
  ErrorType,
  PasskeyCheck,
  SignInErrorType,
  SignInPageErrorParam,
} from "../model/auth-error.ts";
import {
  AccountNotLinked,
  AdapterError,
  type AuthError,
  CallbackRouteError,
  EmailSignInError,
  SignOutError,
  WebAuthnVerificationError,
} from "../model/errors.ts";

/** Which page a visitor sees after an error, what an API client gets, and who is informed. */
export interface ErrorOutcome {
  /**
   * The value of `error` on the sign-in page or the error page, which is all that a client learns; null for the default
   * text.
   */
  readonly show:
    | { readonly page: "signin"; readonly error: SignInPageErrorParam }
    | { readonly page: "error"; readonly error: ErrorPageParam | null };
  /** HTTP status if the response is JSON. */
  readonly status: 400 | 401 | 403 | 404 | 500 | 503;
  /**
   * `error` is for problems that the operator must fix; a client's mistake is one line at `warn` or `debug`
   * (docs/behaviour.md#errors-and-logs).
   */
  readonly log: "error" | "warn" | "debug";
}

const showSignIn = (error: SignInPageErrorParam, status: ErrorOutcome["status"], log: ErrorOutcome["log"]) =>
  ({ show: { page: "signin", error }, status, log }) as const;
const errorPage = (error: ErrorPageParam | null, status: ErrorOutcome["status"], log: ErrorOutcome["log"]) =>
  ({ show: { page: "error", error }, status, log }) as const;

/**
 * The outcome of every error of the library, as docs/errors.md has them. Pages show documented values only: an application's own
 * pages handle these, and a class name such as `MissingCSRF` would help attackers alone. Of the less obvious rows:
 *
 * - A stale CSRF token is almost always a form that was left open, so it leads to the sign-in page. `Configuration` would tell users
 *   that the site is broken. A form of another site gets 403 without a redirect that would hide it.
 * - A pending sign-in that is missing, expired or used is, to a user, a failed response of the provider.
 * - A problem of one provider is shown on the sign-in page, because another sign-in method may work.
 * - A session that cannot be read is 503, never `null`: an outage must not look like a sign-out.
 */
export const ERROR_OUTCOMES = {
  AccessDenied: errorPage("AccessDenied", 403, "warn"),
  AdapterError: errorPage("Configuration", 500, "error"),
  AuthError: errorPage("Configuration", 500, "error"),
  CallbackRouteError: errorPage("Configuration", 500, "error"),
  CredentialsSignin: showSignIn("CredentialsSignin", 401, "warn"),
  DuplicateConditionalUI: errorPage("Configuration", 500, "error"),
  EmailSignInError: showSignIn("EmailSignin", 500, "error"),
  ErrorPageLoop: errorPage("Configuration", 500, "error"),
  EventError: errorPage("Configuration", 500, "error"),
  InvalidCallbackUrl: showSignIn("Callback", 400, "error"),
  InvalidCheck: showSignIn("OAuthCallbackError", 400, "warn"),
  InvalidConfiguration: errorPage("Configuration", 500, "error"),
  InvalidEndpoints: errorPage("Configuration", 500, "error"),
  InvalidHost: errorPage("AccessDenied", 400, "warn"),
  InvalidProvider: errorPage(null, 404, "debug"),
  InvalidRequest: errorPage(null, 400, "debug"),
  JWTSessionError: errorPage("Configuration", 500, "error"),
  MissingAdapter: errorPage("Configuration", 500, "error"),
  MissingAdapterMethods: errorPage("Configuration", 500, "error"),
  MissingAuthorize: errorPage("Configuration", 500, "error"),
  MissingCSRF: showSignIn("Signin", 403, "warn"),
  MissingSecretError: errorPage("Configuration", 500, "error"),
  MissingWebAuthnAutocomplete: errorPage("Configuration", 500, "error"),
  OAuthAccountNotLinked: showSignIn("OAuthAccountNotLinked", 403, "warn"),
  OAuthCallbackError: showSignIn("OAuthCallbackError", 400, "error"),
  OAuthProfileParseError: showSignIn("OAuthCallbackError", 500, "error"),
  OAuthSignInError: showSignIn("OAuthSignin", 500, "error"),
  SessionTokenError: errorPage("Configuration", 500, "error"),
  SessionUnavailable: errorPage("Configuration", 503, "error"),
  SignOutError: errorPage("Configuration", 500, "error"),
  UnknownAction: errorPage("AccessDenied", 404, "debug"),
  UnsupportedStrategy: errorPage("Configuration", 500, "error"),
  UntrustedHost: errorPage("Configuration", 500, "error"),
  Verification: errorPage("Verification", 403, "warn"),
  WebAuthnVerificationError: showSignIn("Callback", 400, "warn"),
} as const satisfies {
  [Type in ErrorType]: ErrorOutcome & {
    readonly show: { readonly page: Type extends SignInErrorType ? "signin" : "error" };
  };
};

const SIGN_UP_FAILED = {
  "oauth-sign-up": showSignIn("OAuthCreateAccount", 500, "error"),
  "email-sign-up": showSignIn("EmailCreateAccount", 500, "error"),
} as const;

/** The session ended in this browser, but copies of it may still be valid. */
const SIGN_OUT_INCOMPLETE = errorPage("SignOutIncomplete", 503, "error");

/** A callback of the application failed on the way back from a sign-in: the visitor can start again. */
const CALLBACK_FAILED = showSignIn("Callback", 500, "error");

/** The user tried to add an account or passkey, but their last sign-in is older than `maxSignInAge`. */
const STALE_SIGN_IN = showSignIn("SessionRequired", 403, "warn");

/** Exceptions for passkeys: problems for the operator to fix, and users who only need to sign in again. */
const PASSKEY_OUTCOMES: Partial<Record<PasskeyCheck, Partial<ErrorOutcome>>> = {
  "relying-party": { log: "error" },
  "stale-sign-in": STALE_SIGN_IN,
};

/** The outcome of one error: by its type, and where a type has several meanings, by the step that failed. */
export function errorOutcomeOf(error: AuthError): ErrorOutcome {
  if (error instanceof AdapterError && error.during !== undefined) return SIGN_UP_FAILED[error.during];
  // If `callbacks.jwt` fails, trying again does not help: the operator must fix it.
  const callback = error instanceof CallbackRouteError ? error.cause?.callback : undefined;
  if (callback !== undefined && callback !== "jwt") return CALLBACK_FAILED;
  if (error instanceof SignOutError && error.cause?.incomplete === true) return SIGN_OUT_INCOMPLETE;
  // As for passkeys: the user only needs to sign in again.
  if (error instanceof AccountNotLinked && error.cause?.reason === "stale-sign-in") return STALE_SIGN_IN;
  const outcome: ErrorOutcome = ERROR_OUTCOMES[error.type];
  if (error instanceof WebAuthnVerificationError) return { ...outcome, ...PASSKEY_OUTCOMES[error.check] };
  return error instanceof EmailSignInError && error.reason === "address"
    ? { ...outcome, status: 400, log: "warn" }
    : outcome;
}
