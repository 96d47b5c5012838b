import type { EpochSeconds, Seconds } from "../model/units.ts";

/** The state of a session that was read. */
export type SessionAge = "fresh" | "due" | "expired";

/**
 * Decides whether a session is valid and whether to renew it (docs/sessions.md; docs/behaviour.md#cookies).
 *
 * 1. From `expires` on, the session is expired.
 * 2. If `updateAge` seconds or more have passed since it was issued, renewal is due; 0 means on every read.
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
