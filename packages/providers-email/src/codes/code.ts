import { readTypedCode } from "@cardea/extend";

/** Number of digits: one attempt succeeds with a probability of one in a hundred million. */
export const CODE_LENGTH = 8;

const CODES = 10 ** CODE_LENGTH;

/** Random numbers below this limit produce every code with equal probability. */
const UNBIASED = Math.floor(2 ** 32 / CODES) * CODES;

/** Converts a random integer below 2^32 to a code; null for the few numbers that would make some codes more likely than others. */
export function toCode(random: number): string | null {
  return random < UNBIASED ? String(random % CODES).padStart(CODE_LENGTH, "0") : null;
}

/** A new random code. */
export function createCode(): string {
  for (;;) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const code = toCode(random);
    if (code !== null) return code;
  }
}

/** The typed code as ASCII digits; null if it is not a code. See {@link readTypedCode}. */
export function parseCode(typed: unknown): string | null {
  const digits = readTypedCode(typed);
  return digits.length === CODE_LENGTH && /^[0-9]+$/.test(digits) ? digits : null;
}
