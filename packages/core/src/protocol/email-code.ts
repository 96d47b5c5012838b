import { isEqualInConstantTime } from "./csrf-token.ts";

/** The code in an e-mail, beside its link: how it is made of random numbers, and how what was typed is read (docs/email.md#codes). */

/** Digits: one in a hundred million for each try. */
export const CODE_LENGTH = 8;

const CODES = 10 ** CODE_LENGTH;

/** Random numbers below this make every code equally often. */
const UNBIASED = Math.floor(2 ** 32 / CODES) * CODES;

/** The code of a random whole number below 2^32; null for the few numbers that would make some codes likelier than others. */
export function toCode(random: number): string | null {
  return random < UNBIASED ? String(random % CODES).padStart(CODE_LENGTH, "0") : null;
}

/** What was typed as digits, whatever spaces and dashes and whichever digits the keyboard made; null if it is no code. */
export function parseCode(typed: unknown): string | null {
  if (typeof typed !== "string" || typed.length > 4 * CODE_LENGTH) return null;
  const digits = typed.normalize("NFKC").replace(/[\s\p{Pd}]/gu, "");
  return digits.length === CODE_LENGTH && /^[0-9]+$/.test(digits) ? digits : null;
}

/** The input of the stored HMAC: a code is worth nothing in another browser, or for another address. */
export function codeInput(
  code: string,
  { flow, address }: { readonly flow: string; readonly address: string },
): string {
  return JSON.stringify(["e-mail code", flow, address, code]);
}

/** Whether one of the MACs of a typed code is the stored one. */
export function isCode(stored: string, typed: readonly string[]): boolean {
  return typed.map((mac) => isEqualInConstantTime(mac, stored)).includes(true);
}
