import type { Seconds } from "@cardea/core/adapters";

/** A thousand years, in seconds. A longer time is probably in the wrong unit. */
const LONGEST = 1000 * 366 * 24 * 60 * 60;

/** Converts seconds to whole milliseconds, at least one. @throws RangeError unless the duration is positive. */
export function toMilliseconds(ttl: Seconds): string {
  if (typeof ttl === "number" && ttl > 0 && ttl <= LONGEST) return String(Math.ceil(ttl * 1000));
  throw new RangeError(`ttl must be a positive number of seconds or null, not ${String(ttl)}.`);
}

/** The same; an empty string if there is no expiry. */
export function toOptionalMilliseconds(ttl: Seconds | null): string {
  return ttl === null ? "" : toMilliseconds(ttl);
}
