import type { Seconds } from "@cardea/extend";

/** Fifteen minutes: how long the browser keeps a pending sign-in (docs/behaviour.md#cookies). */
export const CHALLENGE_LIFETIME: Seconds = 15 * 60;
