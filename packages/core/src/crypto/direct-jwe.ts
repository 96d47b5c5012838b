import { findRecent, keepRecent } from "../model/recent.ts";
import { type AesKey, decodeBase64url, encodeBase64url, importAesKey, sha256 } from "./primitives.ts";

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

/** The header that {@link encryptText} writes. */
function directHeader(kid: string): { readonly header: string; readonly headerBytes: Uint8Array<ArrayBuffer> } {
  const header = encodeBase64url(encoder.encode(JSON.stringify({ alg: "dir", enc: "A256GCM", kid })));
  return { header, headerBytes: encoder.encode(header) };
}

/** Encrypts a text with a new random nonce. */
export async function encryptText(text: string, { key, header, headerBytes }: DirectKey): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const { ciphertext, tag } = await key.seal(encoder.encode(text), iv, headerBytes);
  return `${header}..${encodeBase64url(iv)}.${encodeBase64url(ciphertext)}.${encodeBase64url(tag)}`;
}

/** Whether a token starts like those that {@link encryptText} creates with this key. `startsWith` takes twice as long for a header. */
export function isSealedWith(token: string, { header }: DirectKey): boolean {
  return token[header.length] === "." && token.slice(0, header.length) === header;
}

/**
 * Decrypts a token that {@link encryptText} created with the same key. Never throws; null for any other input.
 *
 * 1. There are five parts: the header is exactly the key's, and the encrypted key is empty (RFC 7516 §5.2 steps 1 and 10).
 * 2. The nonce has 96 bits and the tag 128, no fewer (NIST SP 800-38D §5.2.1.2).
 * 3. The tag matches nonce, header and ciphertext; the plaintext is UTF-8.
 */
export async function decryptText(token: string, sealing: DirectKey): Promise<string | null> {
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
  return decodeText(await key.open({ ciphertext, tag }, iv, headerBytes));
}

function decodeText(bytes: Uint8Array<ArrayBuffer> | null): string | null {
  try {
    return bytes === null ? null : decoder.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Keys derived from the application's secrets. Deriving a key costs more than decrypting a token, so each key is derived
 * once and cached, by secret, purpose and salt.
 */

/**
 * The purpose of an encrypted value. It is part of the key, so that a value encrypted for one purpose cannot be used for
 * another.
 */
export type Purpose =
  | "session"
  | "csrf-token"
  | "state"
  | "challenge"
  | "sign-in-time"
  | "proxy-state"
  | "provider-form"
  | "email-token"
  | "delivered"
  | "address"
  | "identifier"
  | "pending-admission"
  | "extension";

/** The keys for encryption and decryption. */
export interface SealingKeys {
  /** The first encrypts, each of them decrypts. */
  readonly secrets: readonly string[];
  readonly purpose: Purpose;
  readonly salt: string;
}

/** A derived key and its RFC 7638 thumbprint. */
interface DerivedKey {
  readonly kid: string;
  readonly key: Uint8Array<ArrayBuffer>;
}

type Derive<K> = (secret: string, purpose: string, salt: string) => Promise<K>;

/** As many secrets as applications, which may have one for each tenant; and more cookie names than one application has. */
let maxCachedSecrets = 2_000;
const MAX_CACHED_SALTS = 32;

/** Caches the keys of as many secrets at least. The cache is one for all applications of the process, so the largest number counts. */
export function cacheSecrets(most: number): void {
  maxCachedSecrets = Math.max(maxCachedSecrets, most);
}

/** The key for A256GCM, imported. It encrypts, and decrypts what it encrypted. */
export const deriveDirectKey: Derive<DirectKey> = remembering(async (secret, purpose, salt) => {
  const { kid, key } = await derive(secret, purpose, salt, 32);
  return { kid, key: await importAesKey(key), ...directHeader(kid) };
});

/** The key for A256CBC-HS512, which only decrypts. */
export const deriveCbcKey: Derive<DerivedKey> = remembering((secret, purpose, salt) =>
  derive(secret, purpose, salt, 64),
);

/**
 * Derives the key for one purpose of one secret (HKDF with SHA-256, RFC 5869).
 *
 * @param secret non-empty.
 * @param purpose such as `session`; separates keys, so that a value cannot be decrypted as another kind.
 * @param salt name of the cookie, prefix included.
 * @param length in bytes.
 */
async function derive(secret: string, purpose: string, salt: string, length: number): Promise<DerivedKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const info = encoder.encode(`Cardea ${purpose} key (${salt})`);
  const params = { name: "HKDF", hash: "SHA-256", salt: encoder.encode(salt), info };
  const key = new Uint8Array(await crypto.subtle.deriveBits(params, material, length * 8));
  // RFC 7638 §3.2: the required members of an octet key in alphabetical order, without white space.
  const kid = await sha256(JSON.stringify({ k: encodeBase64url(key), kty: "oct" }));
  return { kid, key };
}

/**
 * Caches derived keys in nested maps, by secret first. Each look-up uses a string of the configuration itself: engines would
 * have to hash a concatenated key again for each cookie.
 */
function remembering<K>(deriveAnew: (...use: Parameters<Derive<K>>) => Promise<K>): Derive<K> {
  const bySecret: Cache<Cache<Cache<Promise<K>>>> = new Map();
  return (secret, purpose, salt) => {
    const cached = findRecent(bySecret, secret, maxCachedSecrets)?.get(salt)?.get(purpose);
    if (cached !== undefined) return cached;
    const known = entryOf(entryOf(bySecret, secret, maxCachedSecrets), salt, MAX_CACHED_SALTS);
    const derived = deriveAnew(secret, purpose, salt);
    known.set(purpose, derived);
    return derived;
  };
}

type Cache<V> = Map<string, V>;

function entryOf<V>(caches: Cache<Cache<V>>, name: string, most: number): Cache<V> {
  return caches.get(name) ?? keepRecent(caches, name, new Map(), most);
}
