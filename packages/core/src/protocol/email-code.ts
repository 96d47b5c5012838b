import { isEqualInConstantTime } from "./csrf-token.ts";
import { readTypedCode } from "./typed-code.ts";

/** The code that an e-mail may contain in addition to its link: generating codes and reading typed ones (docs/email.md#codes). */

/** Number of digits: one attempt succeeds with a probability of one in a hundred million. */
export const CODE_LENGTH = 8;

const CODES = 10 ** CODE_LENGTH;

/** Random numbers below this limit produce every code with equal probability. */
const UNBIASED = Math.floor(2 ** 32 / CODES) * CODES;

/** Converts a random integer below 2^32 to a code; null for the few numbers that would make some codes more likely than others. */
export function toCode(random: number): string | null {
  return random < UNBIASED ? String(random % CODES).padStart(CODE_LENGTH, "0") : null;
}

/** The typed code as ASCII digits, null if it is not a code. See {@link readTypedCode}. */
export function parseCode(typed: unknown): string | null {
  const digits = readTypedCode(typed);
  return digits.length === CODE_LENGTH && /^[0-9]+$/.test(digits) ? digits : null;
}

/** The input of the stored HMAC. It binds the code to the browser and the address. */
export function codeInput(
  code: string,
  { flow, address }: { readonly flow: string; readonly address: string },
): string {
  return JSON.stringify(["e-mail code", flow, address, code]);
}

/** Whether one of the MACs of a typed code equals the stored one. */
export function isCode(stored: string, typed: readonly string[]): boolean {
  return typed.map((mac) => isEqualInConstantTime(mac, stored)).includes(true);
}
