import type { Seconds } from "@cardea/core/adapters";

/** A thousand years, in seconds: beyond it a time is a mistake of unit. */
const LONGEST = 1000 * 366 * 24 * 60 * 60;

/** Seconds as whole milliseconds, at least one. @throws RangeError for what is no length of time above 0. */
export function toMilliseconds(ttl: Seconds): string {
  if (typeof ttl === "number" && ttl > 0 && ttl <= LONGEST) return String(Math.ceil(ttl * 1000));
  throw new RangeError(`ttl must be a number of seconds above 0, or null; not ${String(ttl)}.`);
}

/** The same; the empty text for what has no end. */
export function toOptionalMilliseconds(ttl: Seconds | null): string {
  return ttl === null ? "" : toMilliseconds(ttl);
}
