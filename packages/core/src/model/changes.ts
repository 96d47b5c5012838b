import type { Awaitable } from "./records.ts";

/** How to take back what a step of a sign-in did, if a later step fails. */
export interface Undo {
  /**
   * `record`: something that was written. It stays once the application was told of it, and a retry then finds it. `proof`: something
   * that counts once. It is given back unless the sign-in was refused, so that an outage does not cost the user an e-mail or a factor.
   */
  readonly of: "record" | "proof";
  readonly run: () => Awaitable<unknown>;
}

/** What a sign-in has written so far. Each write adds to the lists what belongs to it. */
export interface Changes {
  /** Run backwards if the sign-in fails. */
  readonly undo: Undo[];
  /** What must still hold after all writes, for example that the session that asked for them exists. They throw if it does not. */
  readonly checks: (() => Promise<void>)[];
  /** Events, and cookies of what is done with. Run in order when all checks have passed. */
  readonly announcements: (() => Awaitable<void>)[];
}
