import type { Awaitable, JWT } from "./records.ts";
import type { EpochSeconds, Seconds } from "./units.ts";

/** A cookie that another library made, accepted as a session. */
export interface SessionFormat {
  /** Names the format in messages. */
  readonly id: string;
  /** Name of the cookie without `__Secure-` or `__Host-`. A sign-out clears it with and without them, and in chunks. */
  readonly cookie: string;
  /** The one name that is read and, with `emit`, written; default: with `__Secure-` where cookies are secure. */
  nameOf?(secure: boolean): string;
  /** Whether this cookie is the session: only it is read and written, and our own is cleared when it is seen. */
  readonly emit: boolean;
  /** From then on it is not the session any more, and not accepted; after `emit` it is accepted for another lifetime of a session. */
  readonly until?: EpochSeconds | undefined;
  /**
   * The claims of a token that came under `name`; null when it is not of this format. Core checks their times: they need `iat` and
   * `exp`, and are accepted for no longer than a session of ours. Not called with the strategy `database`, where the value of the
   * cookie is the session token.
   *
   * @param name the name with its prefix.
   * @param secrets of the configuration, the current one first.
   */
  open(token: string, name: string, secrets: readonly string[]): Awaitable<JWT | null>;
  /** Makes such a token; required with `emit` and the strategy `jwt`. */
  seal?(claims: JWT, name: string, maxAge: Seconds, secrets: readonly string[]): Awaitable<string>;
}
