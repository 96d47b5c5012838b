import type { Seconds } from "../model/units.ts";

/** Returns `ttl`, which must be positive and at most a thousand years. @throws RangeError otherwise. */
export function requireSeconds(ttl: Seconds): Seconds {
  if (typeof ttl === "number" && ttl > 0 && ttl <= 1000 * 366 * 24 * 60 * 60) return ttl;
  throw new RangeError(`ttl must be a positive number of seconds or null, not ${String(ttl)}.`);
}

/** Returns `value`, which must be a safe integer. @throws RangeError otherwise. */
export function requireSafe(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`Counters must be safe integers, not ${String(value)}.`);
}

/** Returns `value`, which must be a string. @throws TypeError otherwise. */
export function requireText(value: string, name: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} must be a string, not ${value === null ? "null" : typeof value}.`);
}
