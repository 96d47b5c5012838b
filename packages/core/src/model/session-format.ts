import type { Awaitable, JWT } from "./records.ts";
import type { EpochSeconds, Seconds } from "./units.ts";

/** A session cookie of another library. */
export interface SessionFormat {
  /** Name of the format in messages. */
  readonly id: string;
  /** Name of the cookie without `__Secure-` or `__Host-`. A sign-out clears it with and without them, and in chunks. */
  readonly cookie: string;
  /** The name that is read and, with `emit`, written; default: with `__Secure-` if cookies are secure. */
  nameOf?(secure: boolean): string;
  /** Whether sessions use this cookie: only it is read and written, and our own cookie is cleared. */
  readonly emit: boolean;
  /** When the format stops being used and accepted. With `emit`, it is accepted for one more session lifetime. */
  readonly until?: EpochSeconds | undefined;
  /**
   * Returns the claims of a token from the cookie `name`; null if it is not in this format. Core checks their times:
   * `iat` and `exp` are required, and the maximum lifetime is that of our own sessions. Not called with the strategy
   * `database`, where the cookie contains the session token.
   *
   * @param name Cookie name, including its prefix.
   * @param secrets Secrets of the configuration, the current one first.
   */
  open(token: string, name: string, secrets: readonly string[]): Awaitable<JWT | null>;
  /** Creates a token; required with `emit` and the strategy `jwt`. */
  seal?(claims: JWT, name: string, maxAge: Seconds, secrets: readonly string[]): Awaitable<string>;
}
