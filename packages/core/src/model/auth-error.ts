import { type ErrorType, SIGN_IN_ERRORS } from "./error-types.ts";

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
 * URL of the online documentation, as in `homepage` of the root manifest. The package also contains the error reference, as
 * `dist/errors.md`.
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
    const text = message instanceof Error ? message.message : (message ?? "");
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

function toCause(message: string | Error | undefined, options: AuthErrorOptions): AuthErrorCause | undefined {
  if (options.cause instanceof Error) return { err: options.cause };
  if (options.cause !== undefined) return options.cause;
  return message instanceof Error ? { err: message } : undefined;
}

/** Whether a value is an error of this library, from any installed copy. Never throws. */
export function isAuthError(value: unknown): value is AuthError {
  return value instanceof Error && BRAND in value;
}
