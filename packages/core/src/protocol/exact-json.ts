import { isJson } from "./json-members.ts";

/** Strings and numbers of a JSON text (RFC 8259 §6, §7); digits occur nowhere else. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Whether a text can contain a number that `JSON.parse` would change: sixteen digits, or an exponent. */
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE]/;

/**
 * Rewrites a JSON text so that `JSON.parse` preserves identifiers: a whole number that does not fit into a double becomes a
 * string of its digits. Beyond 2^53 several numbers share one double, so several accounts would share one id (RFC 8259 §6,
 * RFC 7493 §2.2). Fractions stay numbers; they are never ids. Never throws.
 *
 * @returns the same text if it is not JSON, or if nothing would be lost.
 */
export function quoteInexactNumbers(text: string): string {
  if (!MAY_LOSE_DIGITS.test(text) || !isJson(text)) return text;
  return text.replace(TOKEN, (token) => (token.startsWith('"') || isExact(token) ? token : `"${token}"`));
}

/** `JSON.parse` on {@link quoteInexactNumbers}. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(quoteInexactNumbers(text));
}

/**
 * Finds a number that could represent several numbers, because its parser has already lost digits. Handles cycles.
 *
 * @returns the path of the first one, such as `user.id`; null if there is none. Never throws for plain data.
 */
export function findInexactNumber(value: unknown, path = "", seen: WeakSet<object> = new WeakSet()): string | null {
  if (typeof value === "number") return isExactNumber(value) ? null : path;
  if (typeof value !== "object" || value === null || seen.has(value)) return null;
  seen.add(value);
  for (const [name, member] of Object.entries(value)) {
    const found = findInexactNumber(member, path === "" ? name : `${path}.${name}`, seen);
    if (found !== null) return found;
  }
  return null;
}

function isExactNumber(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function isExact(literal: string): boolean {
  const value = Number(literal);
  return isExactNumber(value) && (!Number.isInteger(value) || isWhole(literal));
}

/** Whether a number is whole as written, not only after rounding: `1e3` and `2.0` are, `1.00000000000000001` is not. */
function isWhole(literal: string): boolean {
  const [mantissa = "", exponent = "0"] = literal.replace(/^-/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return end === 0 || Number(exponent) - fraction.length + (digits.length - end) >= 0;
}
