import { importAesKey } from "./aes-gcm.ts";
import { encodeBase64url } from "./base64url.ts";
import { type DirectKey, directHeader } from "./direct-jwe.ts";
import { sha256 } from "./primitives.ts";

/**
 * Keys derived from the application's secrets. Deriving costs more than opening a token, so each key is derived once and kept
 * as an imported `CryptoKey`, by secret, use, salt and content encryption.
 */

/** What a sealed value is for; part of the key, so that a value sealed for one purpose never opens as another. */
export type Purpose =
  | "session"
  | "csrf-token"
  | "state"
  | "challenge"
  | "sign-in-time"
  | "proxy-state"
  | "email-token"
  | "address";

/** Which keys seal and open. */
export interface SealingKeys {
  /** The first seals, each opens. */
  readonly secrets: readonly string[];
  readonly purpose: Purpose;
  readonly salt: string;
}

/** Content encryptions that are opened; the first one seals. */
export type ContentEncryption = "A256GCM" | "A256CBC-HS512";

/** A derived key and its RFC 7638 thumbprint. */
export interface DerivedKey {
  readonly kid: string;
  readonly key: Uint8Array;
}

type Derive<K> = (secret: string, purpose: string, salt: string) => Promise<K>;

const KEY_BYTES = { A256GCM: 32, "A256CBC-HS512": 64 } as const satisfies Record<ContentEncryption, number>;

/** More than any application has of both; reached only when secrets or cookie names come from requests. */
const MAX_CACHED_SECRETS = 32;
const MAX_CACHED_USES = 32;

const encoder = new TextEncoder();

/**
 * The key for one use of one secret (HKDF with SHA-256, RFC 5869).
 *
 * @param secret non-empty.
 * @param purpose what is sealed, such as `session`; separates keys so that nothing opens as something else.
 * @param salt name of the cookie, prefix included.
 */
export function deriveKey(secret: string, purpose: string, salt: string, enc: ContentEncryption): Promise<DerivedKey> {
  return (enc === "A256GCM" ? deriveShortBytes : deriveLongBytes)(secret, purpose, salt);
}

/** The key that seals, and opens what it sealed: that of {@link deriveKey} for A256GCM, imported. */
export const deriveDirectKey: Derive<DirectKey> = remembering(async (secret, purpose, salt) => {
  const { kid, bytes } = await derive(secret, purpose, salt, "A256GCM");
  return { kid, key: await importAesKey(bytes), ...directHeader(kid) };
});

const deriveShortBytes: Derive<DerivedKey> = remembering(bytesFor("A256GCM"));
const deriveLongBytes: Derive<DerivedKey> = remembering(bytesFor("A256CBC-HS512"));

function bytesFor(enc: ContentEncryption): Derive<DerivedKey> {
  return async (secret, purpose, salt) => {
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

/** Keeps what was derived, by secret first: the string of the configuration itself finds its entry without being copied. */
function remembering<K>(deriveAnew: Derive<K>): Derive<K> {
  const bySecret = new Map<string, Map<string, Promise<K>>>();
  return (secret, purpose, salt) => {
    const known = bySecret.get(secret) ?? new Map<string, Promise<K>>();
    // No purpose has a space in it, so that two uses never look alike, whatever the salt holds.
    const use = `${purpose} ${salt}`;
    const cached = known.get(use);
    if (cached !== undefined) return cached;
    if (bySecret.size >= MAX_CACHED_SECRETS) bySecret.clear();
    if (known.size >= MAX_CACHED_USES) known.clear();
    const derived = deriveAnew(secret, purpose, salt);
    bySecret.set(secret, known.set(use, derived));
    return derived;
  };
}
