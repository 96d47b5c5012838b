import { whenThere } from "../model/when-there.ts";
import type { AesKey } from "./aes-gcm.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";

/**
 * The only form of JWE that we write (RFC 7516 §7.1, compact serialisation): the header contains `alg: dir`, A256GCM and
 * the key id, and nothing else. The header of a key is always the same text, so our tokens are recognised by their first
 * characters and decrypted with one call, without parsing the header. `authjs-jwe.ts` opens the other accepted forms.
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

/** Length of the nonce in base64url. */
const NONCE_LENGTH = 16;
const TAG_LENGTH = 22;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The header that {@link sealText} writes. */
export function directHeader(kid: string): { readonly header: string; readonly headerBytes: Uint8Array<ArrayBuffer> } {
  const header = encodeBase64url(encoder.encode(JSON.stringify({ alg: "dir", enc: "A256GCM", kid })));
  return { header, headerBytes: encoder.encode(header) };
}

/** Encrypts a text with a new random nonce. */
export function sealText(text: string, { key, header, headerBytes }: DirectKey): Promise<string> | string {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return whenThere(
    key.seal(encoder.encode(text), iv, headerBytes),
    ({ ciphertext, tag }) => `${header}..${encodeBase64url(iv)}.${encodeBase64url(ciphertext)}.${encodeBase64url(tag)}`,
  );
}

/** Whether a token starts like those that {@link sealText} creates with this key. `startsWith` takes twice as long for a header. */
export function isSealedWith(token: string, { header }: DirectKey): boolean {
  return token[header.length] === "." && token.slice(0, header.length) === header;
}

/**
 * Decrypts a token that {@link sealText} created with the same key. Never throws; null for any other input.
 *
 * 1. There are five parts: the header is exactly the key's, and the encrypted key is empty (RFC 7516 §5.2 steps 1 and 10).
 * 2. The nonce has 96 bits and the tag 128, no fewer (NIST SP 800-38D §5.2.1.2).
 * 3. The tag matches nonce, header and ciphertext; the plaintext is UTF-8.
 */
export function openText(token: string, sealing: DirectKey): Promise<string | null> | string | null {
  const { key, header, headerBytes } = sealing;
  // The parts before and after the ciphertext have one length each. A dot elsewhere is not base64url.
  const nonceAt = header.length + 2;
  const textAt = nonceAt + NONCE_LENGTH + 1;
  const tagAt = token.length - TAG_LENGTH;
  if (textAt > tagAt || !isSealedWith(token, sealing)) return null;
  if (token[nonceAt - 1] !== "." || token[textAt - 1] !== "." || token[tagAt - 1] !== ".") return null;
  const iv = decodeBase64url(token.slice(nonceAt, textAt - 1));
  const ciphertext = decodeBase64url(token.slice(textAt, tagAt - 1));
  const tag = decodeBase64url(token.slice(tagAt));
  if (iv === null || ciphertext === null || tag === null) return null;
  return whenThere(key.open({ ciphertext, tag }, iv, headerBytes), decodeText);
}

function decodeText(bytes: Uint8Array<ArrayBuffer> | null): string | null {
  try {
    return bytes === null ? null : decoder.decode(bytes);
  } catch {
    return null;
  }
}
