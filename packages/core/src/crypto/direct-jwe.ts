import { type AesKey, type Sealed, TAG_BYTES } from "./aes-gcm.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";

/**
 * The only form of JWE that we write (RFC 7516 §7.1, compact serialisation): the header contains `alg: dir`, A256GCM and
 * the key id, and nothing else. The header is the same text for each key, so our tokens are recognised by their first
 * characters and decrypted with one WebCrypto call, without interpreting the header. `authjs-jwe.ts` opens the other forms that are accepted.
 */

/** A key, and the header of the tokens that it encrypts. */
export interface DirectKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly key: AesKey;
  /** The protected header, base64url: the start of every token of this key. */
  readonly header: string;
  /** The header as bytes: the additional authenticated data (RFC 7516 §5.1 step 14). */
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

/** Encrypts a text with a new random nonce. */
export async function sealText(text: string, { key, header, headerBytes }: DirectKey): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const { ciphertext, tag } = await key.seal(encoder.encode(text), iv, headerBytes);
  return [header, "", encodeBase64url(iv), encodeBase64url(ciphertext), encodeBase64url(tag)].join(".");
}

/** Whether a token starts like those that {@link sealText} creates with this key. */
export function isSealedWith(token: string, { header }: DirectKey): boolean {
  return token.startsWith(`${header}.`);
}

/**
 * Decrypts a token that {@link sealText} created with the same key. Never throws; null for any other input.
 *
 * 1. There are five parts: the header is exactly the key's, and the encrypted key is empty (RFC 7516 §5.2 steps 1 and 10).
 * 2. The nonce has 96 bits and the tag 128, no fewer (NIST SP 800-38D §5.2.1.2).
 * 3. The tag matches nonce, header and ciphertext; the plaintext is UTF-8.
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
