/** Bytes as text that is safe in URLs and cookies, without padding (RFC 4648 §5, RFC 7515 §2). */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Marks a character outside the alphabet with a bit that no six-bit value has. */
const INVALID = 64;

/** Bits of the last character that do not complete a byte, by the number of characters beyond a multiple of four. */
const LEFT_OVER_MASK = [0, 0, 0b1111, 0b11];

/** By the code of the character. */
const SIX_BITS = sixBitsByCode();

const encoder = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

interface Encoder {
  toString(encoding: "base64url"): string;
}

/** The native `Buffer` of Node, Bun and Deno; looked up at run time, so that no bundler adds a copy of it. */
interface NodeBuffer {
  from(text: string, encoding: "base64url"): Bytes & Encoder;
  from(buffer: ArrayBufferLike, offset: number, length: number): Encoder;
}

const nodeBuffer = findNodeBuffer(globalThis);

/** Null in a runtime without it. */
export function findNodeBuffer(realm: object): NodeBuffer | null {
  const found: unknown = Reflect.get(realm, "Buffer");
  if (typeof found !== "function" || typeof Reflect.get(found, "from") !== "function") return null;
  const isEncoding: unknown = Reflect.get(found, "isEncoding");
  // The copies that bundlers add for browsers lack this encoding. A cast: the function was checked above.
  return typeof isEncoding === "function" && isEncoding("base64url") === true ? (found as unknown as NodeBuffer) : null;
}

/** Never throws. */
export function encodeBase64url(bytes: Uint8Array): string {
  if (nodeBuffer === null) return encodePortably(bytes);
  return nodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/** {@link encodeBase64url} where there is no `Buffer`. */
export function encodePortably(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Inverse of {@link encodeBase64url}. Never throws; null for padding, for characters outside the alphabet, for impossible
 * lengths, and for non-zero bits left over at the end, so that each value has one spelling (RFC 4648 §3.5). For a session
 * in several cookies this takes half as long as `atob`, which requires converting the alphabet before and the characters
 * afterwards.
 */
export function decodeBase64url(text: string): Bytes | null {
  if (nodeBuffer === null) return decodePortably(text);
  const bytes = nodeBuffer.from(text, "base64url");
  // `Buffer` also accepts other spellings; only the one that it would write itself is valid here.
  return bytes.toString("base64url") === text ? bytes : null;
}

/** {@link decodeBase64url} where there is no `Buffer`. */
export function decodePortably(text: string): Bytes | null {
  const codes = encoder.encode(text);
  const bytes = new Uint8Array(Math.floor((codes.length * 3) / 4));
  let invalid = codes.length % 4 === 1 ? INVALID : 0;
  let bits = 0;
  let written = 0;
  for (let index = 0; index < codes.length; index += 1) {
    const six = SIX_BITS[codes[index] ?? 0] ?? INVALID;
    invalid |= six;
    bits = (bits << 6) | six;
    // Of four characters, the first completes no byte and the others one each, with 4, 2 and 0 bits left over.
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
