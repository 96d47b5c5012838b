import type { ErrorType } from "./error-types.ts";

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

const docsAnchor = (type: string): string => `(docs/errors.md#${type.toLowerCase()})`;

/**
 * Base of every error of this library (spec 7). `type` identifies it in code and logs; the message says what to do and ends
 * with the place in the documentation. It may hold facts that a visitor must not see: show visitors `type` at most.
 */
export class AuthError extends Error {
  static type: ErrorType = "AuthError";
  /** Which built-in page a visitor lands on. */
  static kind: "signIn" | "error" = "error";
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
