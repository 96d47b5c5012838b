import { type AesKey, type Sealed, TAG_BYTES } from "./aes-gcm.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";

/**
 * The one form of JWE that we write (RFC 7516 §7.1, compact serialisation): `alg: dir`, A256GCM and the key's id, and nothing
 * else in the header. Its header is the same text for each key, so that a token of ours is known by its beginning and opened
 * with one call of WebCrypto; nothing of the header is ever interpreted. Tokens of any other form are left to jose.
 */

/** A key, and the header of whatever is sealed with it. */
export interface DirectKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly key: AesKey;
  /** The protected header, base64url: what a token of this key begins with. */
  readonly header: string;
  /** The same as bytes: the additional authenticated data (RFC 7516 §5.1 step 14). */
  readonly headerBytes: Uint8Array<ArrayBuffer>;
}

/** RFC 7518 §5.3: the nonce has 96 bits, the authentication tag 128. */
const NONCE_BYTES = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The header that {@link sealText} writes. */
export function directHeader(kid: string): { readonly header: string; readonly headerBytes: Uint8Array<ArrayBuffer> } {
  const header = encodeBase64url(encoder.encode(JSON.stringify({ alg: "dir", enc: "A256GCM", kid })));
  return { header, headerBytes: encoder.encode(header) };
}

/** Seals a text under a fresh random nonce. */
export async function sealText(text: string, { key, header, headerBytes }: DirectKey): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const { ciphertext, tag } = await key.seal(encoder.encode(text), iv, headerBytes);
  return [header, "", encodeBase64url(iv), encodeBase64url(ciphertext), encodeBase64url(tag)].join(".");
}

/** Whether a token begins as those that {@link sealText} makes with this key. */
export function isSealedWith(token: string, { header }: DirectKey): boolean {
  return token.startsWith(`${header}.`);
}

/**
 * Opens what {@link sealText} sealed with the same key. Never throws; null when anything differs.
 *
 * 1. Five parts: the header is exactly the key's, the encrypted key is empty (RFC 7516 §5.2 steps 1 and 10).
 * 2. The nonce has 96 bits and the tag 128, no fewer (NIST SP 800-38D §5.2.1.2).
 * 3. The tag fits nonce, header and ciphertext; what was sealed is UTF-8.
 */
export async function openText(token: string, { key, header, headerBytes }: DirectKey): Promise<string | null> {
  const [protectedHeader, encryptedKey, nonce = "", ciphertext = "", tag = "", ...more] = token.split(".");
  if (protectedHeader !== header || encryptedKey !== "" || more.length > 0) return null;
  const iv = decodeBase64url(nonce);
  const sealed = { ciphertext: decodeBase64url(ciphertext), tag: decodeBase64url(tag) };
  if (iv?.length !== NONCE_BYTES || !isWhole(sealed)) return null;
  const bytes = await key.open(sealed, iv, headerBytes);
  try {
    return bytes === null ? null : decoder.decode(bytes);
  } catch {
    return null;
  }
}

type Decoded = Uint8Array<ArrayBuffer> | null;

function isWhole(parts: { ciphertext: Decoded; tag: Decoded }): parts is Sealed {
  return parts.ciphertext !== null && parts.tag?.length === TAG_BYTES;
}
