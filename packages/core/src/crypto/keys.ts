import { importAesKey } from "./aes-gcm.ts";
import { encodeBase64url } from "./base64url.ts";
import { type DirectKey, directHeader } from "./direct-jwe.ts";
import { sha256 } from "./primitives.ts";

/**
 * Keys derived from the application's secrets. Deriving a key costs more than decrypting a token, so each key is derived
 * once and cached as an imported `CryptoKey`, by secret, purpose, salt and content encryption.
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
  | "email-token"
  | "address"
  | "pending-admission"
  | "extension";

/** The keys for encryption and decryption. */
export interface SealingKeys {
  /** The first encrypts, each of them decrypts. */
  readonly secrets: readonly string[];
  readonly purpose: Purpose;
  readonly salt: string;
}

/** Supported content encryptions; the first one encrypts. */
export type ContentEncryption = "A256GCM" | "A256CBC-HS512";

/** A derived key and its RFC 7638 thumbprint. */
export interface DerivedKey {
  readonly kid: string;
  readonly key: Uint8Array<ArrayBuffer>;
}

/** Returns the key itself if it is cached, otherwise a promise. */
type Derive<K> = (secret: string, purpose: string, salt: string) => Promise<K> | K;

const KEY_BYTES = { A256GCM: 32, "A256CBC-HS512": 64 } as const satisfies Record<ContentEncryption, number>;

/** More secrets, or cookie names, than any application has; reached only if these depend on requests. */
const MAX_CACHED_SECRETS = 32;
const MAX_CACHED_SALTS = 32;

const encoder = new TextEncoder();

/**
 * Derives the key for one purpose of one secret (HKDF with SHA-256, RFC 5869).
 *
 * @param secret non-empty.
 * @param purpose such as `session`; separates keys, so that a value cannot be decrypted as another kind.
 * @param salt name of the cookie, prefix included.
 */
export function deriveKey(
  secret: string,
  purpose: string,
  salt: string,
  enc: ContentEncryption,
): Promise<DerivedKey> | DerivedKey {
  return (enc === "A256GCM" ? deriveShortBytes : deriveLongBytes)(secret, purpose, salt);
}

/** The key from {@link deriveKey} for A256GCM, imported. It encrypts, and decrypts what it encrypted. */
export const deriveDirectKey: Derive<DirectKey> = remembering(async (secret, purpose, salt) => {
  const { kid, bytes } = await derive(secret, purpose, salt, "A256GCM");
  return { kid, key: await importAesKey(bytes), ...directHeader(kid) };
});

const deriveShortBytes: Derive<DerivedKey> = remembering(bytesFor("A256GCM"));
const deriveLongBytes: Derive<DerivedKey> = remembering(bytesFor("A256CBC-HS512"));

function bytesFor(enc: ContentEncryption) {
  return async (secret: string, purpose: string, salt: string): Promise<DerivedKey> => {
    const { kid, bytes } = await derive(secret, purpose, salt, enc);
    return { kid, key: bytes };
  };
}

async function derive(secret: string, purpose: string, salt: string, enc: ContentEncryption) {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const info = encoder.encode(`Cardea ${purpose} key (${salt})`);
  const params = { name: "HKDF", hash: "SHA-256", salt: encoder.encode(salt), info };
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(params, material, KEY_BYTES[enc] * 8));
  // RFC 7638 §3.2: the required members of an octet key in alphabetical order, without white space.
  const kid = await sha256(JSON.stringify({ k: encodeBase64url(bytes), kty: "oct" }));
  return { kid, bytes };
}

/**
 * Caches derived keys in nested maps, by secret first. Each look-up uses a string of the configuration itself: engines would
 * have to hash a concatenated key again for each cookie.
 */
function remembering<K>(deriveAnew: (...use: Parameters<Derive<K>>) => Promise<K>): Derive<K> {
  const bySecret: Cache<Cache<Cache<Promise<K> | K>>> = new Map();
  return (secret, purpose, salt) => {
    const cached = bySecret.get(secret)?.get(salt)?.get(purpose);
    if (cached !== undefined) return cached;
    const known = entryOf(entryOf(bySecret, secret, MAX_CACHED_SECRETS), salt, MAX_CACHED_SALTS);
    const derived = deriveAnew(secret, purpose, salt).then((key) => {
      known.set(purpose, key);
      return key;
    });
    known.set(purpose, derived);
    return derived;
  };
}

type Cache<V> = Map<string, V>;

function entryOf<V>(caches: Cache<Cache<V>>, name: string, most: number): Cache<V> {
  if (caches.size >= most && !caches.has(name)) caches.clear();
  const entry: Cache<V> = caches.get(name) ?? new Map();
  caches.set(name, entry);
  return entry;
}
