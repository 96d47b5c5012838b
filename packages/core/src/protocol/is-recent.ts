import { type EpochSeconds, SERVER_CLOCK_DIFFERENCE, type Seconds } from "../model/units.ts";

/**
 * Whether a proof or a sign-in is less than `within` seconds old. A time from the future is not recent, unless it can be that of
 * another server, whose clock may be a minute ahead: otherwise a proof from a server with a wrong clock would count for longer
 * than configured.
 */
export function isRecent(at: EpochSeconds, within: Seconds, now: EpochSeconds): boolean {
  return now - at < within && !isFuture(at, now);
}

/** Whether a time is further in the future than the clocks of an application's servers may differ. */
export function isFuture(at: EpochSeconds, now: EpochSeconds): boolean {
  return at > now + SERVER_CLOCK_DIFFERENCE;
}
