import type { Seconds } from "../model/units.ts";

/** What every store of ours accepts, with the same errors: `storeContract()` of `@cardea/testing` checks them. */

/** A thousand years, in seconds. A longer time is probably in the wrong unit. */
const LONGEST = 1000 * 366 * 24 * 60 * 60;

/** Returns `ttl`, which must be positive and at most a thousand years. @throws RangeError otherwise. */
export function requireSeconds(ttl: Seconds): Seconds {
  if (typeof ttl === "number" && ttl > 0 && ttl <= LONGEST) return ttl;
  throw new RangeError(`ttl must be a positive number of seconds or null, not ${String(ttl)}.`);
}

/** Returns the value of a counter, or what is added to it: a safe integer. @throws RangeError otherwise. */
export function requireSafe(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`Counters must be safe integers, not ${String(value)}.`);
}

/** Returns `value`, which must be a string. @throws TypeError otherwise. */
export function requireText(value: string, name: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} must be a string, not ${value === null ? "null" : typeof value}.`);
}

/** The integer that a text represents. @throws TypeError for any other text. */
export function parseCount(text: string, key: string): number {
  if (/^-?\d{1,16}$/.test(text)) return Number(text);
  throw new TypeError(`The value of the key ${key} is not an integer, so nothing can be added to it.`);
}
