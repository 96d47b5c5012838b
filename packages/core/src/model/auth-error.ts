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
const SIGN_IN_ERRORS = [
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

/** Details of an error for the log. Never contains a secret, a token or a password. */
export interface AuthErrorCause {
  /** The underlying error, if there is one. */
  err?: Error | undefined;
  /** Further facts about the error. */
  [fact: string]: unknown;
}

/** Options of all error classes. */
export interface AuthErrorOptions {
  /** What led to the error. */
  cause?: AuthErrorCause | Error | undefined;
}

/** Present on every error of the library; the same symbol in each installed copy. */
const BRAND = Symbol.for("cardea.error");

/**
 * URL of the online documentation, as in `homepage` of the root manifest. Messages name the cause and the fix in one sentence; the
 * page that they link to has the background. The package also contains the guide, as `dist/docs/*.md`, for machines that cannot
 * reach the web.
 */
const DOCS_URL = "https://github.com/cardea-auth/cardea/blob/main/docs";

const docsAnchor = (type: string): string => `(${DOCS_URL}/errors.md#${type.toLowerCase()})`;

/** Whether visitors are sent to the sign-in page after an error of this type. */
const isSignInError = (type: string): boolean => SIGN_IN_ERRORS.some((one) => one === type);

/**
 * Base class of all errors. `type` identifies the error in code and logs. The message explains the remedy and ends with a
 * link to the documentation. It may contain details that visitors must not see: show them `type` at most.
 */
export class AuthError extends Error {
  /** The `type` of every error that this class creates. */
  static type: ErrorType = "AuthError";
  /** The built-in page that shows this error to a visitor. */
  static get kind(): "signIn" | "error" {
    // biome-ignore lint/complexity/noThisInStatic: the type of the class that is asked, not of this one.
    return isSignInError(this.type) ? "signIn" : "error";
  }

  /** Identifies the error in code and logs, and in the error reference. */
  readonly type: ErrorType;
  /** The built-in page that shows this error to a visitor. */
  readonly kind: "signIn" | "error";
  /** Details for the log; undefined if there are none. Never contains a secret. */
  override readonly cause: AuthErrorCause | undefined;

  constructor(message?: string | Error, options: AuthErrorOptions = {}) {
    const cause = toCause(message, options);
    const text = message instanceof Error ? textOf(message) : (message ?? "");
    const type = new.target.type;
    super(`${text}${text === "" ? "" : " "}${docsAnchor(type)}`, cause === undefined ? {} : { cause });
    this.cause = cause;
    this.type = type;
    this.kind = new.target.kind;
    this.name = type;
  }

  /** True for errors of any installed copy of this library. */
  get [BRAND](): true {
    return true;
  }
}

/** The message of an error, of one of ours without its link. */
function textOf(error: Error): string {
  return isAuthError(error) ? error.message.replace(docsAnchor(error.type), "").trimEnd() : error.message;
}

function toCause(message: string | Error | undefined, options: AuthErrorOptions): AuthErrorCause | undefined {
  if (options.cause instanceof Error) return { err: options.cause };
  if (options.cause !== undefined) return options.cause;
  return message instanceof Error ? { err: message } : undefined;
}

/** Whether a value is an error of this library, from any installed copy. Never throws. */
export function isAuthError(value: unknown): value is AuthError {
  return value instanceof Error && BRAND in value;
}

/** Converts any thrown value to an Error: text becomes its message, any other value its cause. Never throws. */
export function toError(value: unknown): Error {
  if (value instanceof Error) return value;
  return typeof value === "string" ? new Error(value) : new Error(`a ${typeof value} was thrown`, { cause: value });
}
