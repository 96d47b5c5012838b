import { base64url, calculateJwkThumbprint } from "jose";

/**
 * Keys derived from the application's secrets. Deriving costs more than opening a token, so each key is derived once and kept
 * as an imported `CryptoKey`, by secret, use, salt and content encryption.
 */

/** Content encryptions that are opened; the first one seals. */
export type ContentEncryption = "A256GCM" | "A256CBC-HS512";

/** A derived key and its RFC 7638 thumbprint. */
export interface DerivedKey {
  readonly kid: string;
  readonly key: CryptoKey | Uint8Array;
}

const KEY_BYTES = { A256GCM: 32, "A256CBC-HS512": 64 } as const satisfies Record<ContentEncryption, number>;

/** More than any application derives; reached only when secrets or cookie names come from requests. */
const MAX_CACHED_KEYS = 256;

const cache = new Map<string, Promise<DerivedKey>>();
const encoder = new TextEncoder();

/**
 * The key for one use of one secret (HKDF with SHA-256, RFC 5869; contract 11).
 *
 * @param secret non-empty.
 * @param purpose what is sealed, such as `session`; separates keys so that nothing opens as something else.
 * @param salt name of the cookie without prefix.
 */
export function deriveKey(secret: string, purpose: string, salt: string, enc: ContentEncryption): Promise<DerivedKey> {
  // JSON keeps the parts apart whatever characters they hold.
  const id = JSON.stringify([secret, purpose, salt, enc]);
  const cached = cache.get(id);
  if (cached !== undefined) return cached;
  if (cache.size >= MAX_CACHED_KEYS) cache.clear();
  const derived = derive(secret, purpose, salt, enc);
  cache.set(id, derived);
  return derived;
}

async function derive(secret: string, purpose: string, salt: string, enc: ContentEncryption): Promise<DerivedKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const info = encoder.encode(`Cardea ${purpose} key (${salt})`);
  const params = { name: "HKDF", hash: "SHA-256", salt: encoder.encode(salt), info };
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(params, material, KEY_BYTES[enc] * 8));
  const kid = await calculateJwkThumbprint({ kty: "oct", k: base64url.encode(bytes) });
  const key =
    enc === "A256GCM" ? await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]) : bytes;
  return { kid, key };
}
