import type { Seconds } from "../model/units.ts";

/** `ttl`, which must be above 0 and at most a thousand years. @throws RangeError if it is not. */
export function requireSeconds(ttl: Seconds): Seconds {
  if (typeof ttl === "number" && ttl > 0 && ttl <= 1000 * 366 * 24 * 60 * 60) return ttl;
  throw new RangeError(`ttl must be a number of seconds above 0, or null; not ${String(ttl)}.`);
}

/** `value`, which must be a whole number that fits into a double. @throws RangeError if it is not. */
export function requireSafe(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`A counter is a safe integer; not ${String(value)}.`);
}

/** `value`, which must be a string. @throws TypeError if it is not. */
export function requireText(value: string, name: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} must be a string, not ${value === null ? "null" : typeof value}.`);
}
