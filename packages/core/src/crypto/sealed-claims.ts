import { loadOnce } from "../model/load-once.ts";
import type { JWT } from "../model/records.ts";
import { CLOCK_TOLERANCE, SERVER_CLOCK_DIFFERENCE, type Seconds } from "../model/units.ts";
import {
  type DirectKey,
  decryptText,
  deriveDirectKey,
  encryptText,
  isSealedWith,
  type Purpose,
  type SealingKeys,
} from "./direct-jwe.ts";
import { randomToken } from "./primitives.ts";

/**
 * Claims in an encrypted JWT (JWE compact serialisation, `alg: dir`), the form of every cookie that contains a secret.
 *
 * Encryption uses A256GCM with a random 96-bit nonce. One key may encrypt 2^32 messages before the probability of a
 * repeated nonce reaches 2^-32 (NIST SP 800-38D §8.3): a thousand sign-ins a second for fifty days with one secret. Rotate
 * the secret before that.
 */

/** A longer JWE cannot be ours, because a session has at most five cookies. */
export const MAX_TOKEN_LENGTH = 24_576;

/** Encrypts claims that expire after `lifetime` seconds. Sets `iat`, `exp` and, for a session without one, `jti`. */
export async function encryptClaims(claims: JWT, keys: SealingKeys, lifetime: Seconds): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const id = keys.purpose === "session" && claims.jti == null ? { jti: randomToken(16) } : undefined;
  const text = JSON.stringify({ ...claims, ...id, iat: issuedAt, exp: issuedAt + lifetime });
  return encryptText(text, await deriveDirectKey(keys.secrets[0] ?? "", keys.purpose, keys.salt));
}

/**
 * Decrypts what {@link encryptClaims} created. Never throws: the result is null whatever is wrong with the token, so that the
 * reason is not revealed (ASVS 11.2.5).
 *
 * 1. The header determines key and form: our own form is decrypted here, other accepted forms of sessions by {@link
 *    decryptAuthjsText}.
 * 2. The claims are an object.
 * 3. `exp` is required and not past, within {@link CLOCK_TOLERANCE}; `nbf` and `iat`, if present, are at most {@link
 *    SERVER_CLOCK_DIFFERENCE} in the future.
 */
export async function decryptClaims(token: string, keys: SealingKeys): Promise<JWT | null> {
  const key = await findKey(token, keys);
  // Another server that shares the secret may have encrypted sessions, but nothing else.
  if (key === null && keys.purpose !== "session") return null;
  const claims = parseClaims(await (key === null ? decryptForeignText(token, keys) : decryptText(token, key)));
  return claims !== null && isCurrent(claims) ? claims : null;
}

/** The key of a token that starts like those of {@link encryptClaims}, otherwise null. */
export async function findKey(token: string, { secrets, purpose, salt }: SealingKeys): Promise<DirectKey | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  for (const secret of secrets) {
    const key = await deriveDirectKey(secret, purpose, salt);
    if (isSealedWith(token, key)) return key;
  }
  return null;
}

const loadForeign = loadOnce(() => import("./authjs-jwe.ts"));

/** Decrypts a session token in one of the other accepted forms. Loaded on demand, because our own tokens do not need it. */
export async function decryptForeignText(token: string, keys: SealingKeys): Promise<string | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  return (await loadForeign()).decryptAuthjsText(token, keys);
}

/** Rule 2 of {@link decryptClaims}. Never throws. */
export function parseClaims(text: string | null): JWT | null {
  try {
    const claims: unknown = JSON.parse(text ?? "null");
    return typeof claims === "object" && claims !== null && !Array.isArray(claims) ? (claims as JWT) : null;
  } catch {
    return null;
  }
}

/** Whether claims have an `exp` that is not past, and other times that are possible (RFC 7519 §4.1.4 to §4.1.6). */
export function isCurrent({ exp, nbf = 0, iat = 0 }: JWT): boolean {
  const now = Math.floor(Date.now() / 1000);
  if (!isTimestamp(exp) || typeof nbf !== "number" || typeof iat !== "number") return false;
  const latest = now + SERVER_CLOCK_DIFFERENCE;
  return exp > now - CLOCK_TOLERANCE && nbf <= latest && iat <= latest;
}

const isTimestamp = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/**
 * What an encrypted cookie is bound to. It can be decrypted only for the same purpose, under the same name and for the same
 * provider.
 */
export interface CookieBinding {
  readonly secrets: readonly string[];
  readonly purpose: Exclude<Purpose, "session">;
  /** Name of the cookie, prefix included, without the suffix of a pending sign-in. */
  readonly salt: string;
  /** Id of the provider that the value belongs to; null if it belongs to none. */
  readonly provider: string | null;
}

type CookieValues = Readonly<Record<string, string>>;

/** Encrypts a value for a cookie. `lifetime` (seconds) is enforced at decryption, independently of the browser. */
export function encryptCookie(value: CookieValues, to: CookieBinding, lifetime: Seconds): Promise<string> {
  return encryptClaims({ value, provider: to.provider }, to, lifetime);
}

/** Decrypts a cookie. Never throws; null if it is not ours, has expired, or is bound to something else. */
export async function decryptCookie(sealed: string, binding: CookieBinding): Promise<CookieValues | null> {
  const claims = await decryptClaims(sealed, binding);
  return claims !== null && claims.provider === binding.provider ? parseValue(claims) : null;
}

/** Decrypts the first valid one of several values: a cookie may be sent more than once. */
export async function decryptFirstCookie(
  values: readonly string[],
  binding: CookieBinding,
): Promise<CookieValues | null> {
  for (const sealed of values) {
    const opened = await decryptCookie(sealed, binding);
    if (opened !== null) return opened;
  }
  return null;
}

function parseValue(claims: JWT): CookieValues | null {
  const { value } = claims;
  if (typeof value !== "object" || value === null) return null;
  const strings: Record<string, string> = {};
  for (const [name, text] of Object.entries<unknown>({ ...value })) if (typeof text === "string") strings[name] = text;
  return strings;
}
