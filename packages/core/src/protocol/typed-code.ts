/** More than any code has, separators included. */
const MAX_LENGTH = 64;

/** What users type between the characters of a code, or paste with it: blanks, dashes, and characters that are not visible. */
const SEPARATORS = /[\s\p{Pd}\u2212\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Reads a code that a user typed or pasted: a code of an e-mail, an authenticator app or a recovery code. Never throws.
 *
 * 1. Compatibility forms become plain ones, such as full-width letters and digits (UAX #15, NFKC).
 * 2. Blanks, dashes and invisible characters are removed.
 * 3. Decimal digits of every script become ASCII digits.
 *
 * @returns the code; an empty string if there is none, or if the text is longer than any code.
 */
export function readTypedCode(typed: unknown): string {
  if (typeof typed !== "string" || typed.length > MAX_LENGTH) return "";
  return typed
    .normalize("NFKC")
    .replace(SEPARATORS, "")
    .replace(/\p{Nd}/gu, toAsciiDigit);
}

const DIGIT = /^\p{Nd}$/u;

/** Unicode assigns decimal digits in contiguous ranges from zero to nine (The Unicode Standard §4.6), also one after the other. */
function toAsciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(point - before - 1))) before++;
  return String(before % 10);
}
