import type { EpochSeconds, Seconds } from "../model/units.ts";

/** What is to be done with a session that was read. */
export type SessionAge = "fresh" | "due" | "expired";

/**
 * Decides whether a session still counts and whether it is to be renewed (docs/sessions.md; docs/behaviour.md#cookies).
 *
 * 1. At `expires` and after it the session is expired.
 * 2. When `updateAge` seconds or more have passed since it was issued, renewal is due; 0 means at each read.
 * 3. Otherwise it is fresh, and reading it writes nothing.
 */
export function decideSessionAge(facts: {
  readonly now: EpochSeconds;
  readonly issuedAt: EpochSeconds;
  readonly expires: EpochSeconds;
  readonly updateAge: Seconds;
}): SessionAge {
  if (facts.now >= facts.expires) return "expired";
  return facts.now - facts.issuedAt >= facts.updateAge ? "due" : "fresh";
}
