import { type ErrorType, SIGN_IN_ERRORS } from "./error-types.ts";

/** Facts about an error for the log. Never holds a secret, a token or a password. */
export interface AuthErrorCause {
  /** The error below, where there is one. */
  err?: Error | undefined;
  [fact: string]: unknown;
}

/** Options of every error class. */
export interface AuthErrorOptions {
  cause?: AuthErrorCause | Error | undefined;
}

const BRAND = Symbol.for("cardea.error");

/**
 * Where the documentation is read on the web; the root manifest's `homepage` names the same place. The page of errors is also
 * in the package, as `dist/errors.md`.
 */
const DOCS_URL = "https://github.com/cardea-auth/cardea/blob/main/docs";

const docsAnchor = (type: string): string => `(${DOCS_URL}/errors.md#${type.toLowerCase()})`;

/** The errors whose visitors land on the sign-in page, by type. */
const isSignInError = (type: string): boolean => SIGN_IN_ERRORS.some((one) => one === type);

/**
 * Base class of all errors. `type` identifies an error in code and logs. The message explains the remedy and ends with a link
 * to the documentation. It may contain details that visitors must not see: show visitors `type` at most.
 */
export class AuthError extends Error {
  static type: ErrorType = "AuthError";
  /** Which built-in page a visitor lands on. */
  static get kind(): "signIn" | "error" {
    // biome-ignore lint/complexity/noThisInStatic: the type of the class that is asked, not of this one.
    return isSignInError(this.type) ? "signIn" : "error";
  }

  readonly type: ErrorType;
  readonly kind: "signIn" | "error";
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

/** Tells whether a value is an error of this library, whichever installed copy of it made the value. Never throws. */
export function isAuthError(value: unknown): value is AuthError {
  return value instanceof Error && BRAND in value;
}
