import type { JWT } from "../model/records.ts";
import { CLOCK_TOLERANCE, SERVER_CLOCK_DIFFERENCE, type Seconds } from "../model/units.ts";
import { type DirectKey, isSealedWith, openText, sealText } from "./direct-jwe.ts";
import { deriveDirectKey, type SealingKeys } from "./keys.ts";
import { randomToken } from "./primitives.ts";

/**
 * Claims in an encrypted JWT (JWE compact serialisation, `alg: dir`), the form of every cookie that contains a secret.
 *
 * Encryption uses A256GCM with a random 96-bit nonce. One key may encrypt 2^32 messages before the probability of a
 * repeated nonce reaches 2^-32 (NIST SP 800-38D §8.3): a thousand sign-ins a second for fifty days with one secret. Rotate
 * the secret before that.
 */

/** A longer JWE was not created here: five cookies contain less. */
export const MAX_TOKEN_LENGTH = 24_576;

/** Encrypts claims that expire after `lifetime` seconds. Sets `iat`, `exp` and, unless given, `jti`. */
export async function sealClaims(claims: JWT, keys: SealingKeys, lifetime: Seconds): Promise<string> {
  const key = await deriveDirectKey(keys.secrets[0] ?? "", keys.purpose, keys.salt);
  const issuedAt = Math.floor(Date.now() / 1000);
  const times = { iat: issuedAt, exp: issuedAt + lifetime, jti: claims.jti ?? randomToken(16) };
  return sealText(JSON.stringify({ ...claims, ...times }), key);
}

/**
 * Decrypts what {@link sealClaims} created. Never throws: the result is null whatever is wrong with the token, so that the
 * reason is not revealed (ASVS 11.2.5).
 *
 * 1. The header determines key and form: our own form is decrypted here, other accepted forms of sessions by {@link
 *    openAuthjsText}.
 * 2. The claims are an object.
 * 3. `exp` is required and not past, within {@link CLOCK_TOLERANCE}; `nbf` and `iat`, if present, are at most {@link
 *    SERVER_CLOCK_DIFFERENCE} in the future.
 */
export async function openClaims(token: string, keys: SealingKeys): Promise<JWT | null> {
  const text = await openClaimsText(token, keys);
  return text === null ? null : parseCurrentClaims(text);
}

/** {@link openClaims} without rules 2 and 3: what was sealed, as text. */
export async function openClaimsText(token: string, keys: SealingKeys): Promise<string | null> {
  const key = token.length > MAX_TOKEN_LENGTH ? null : await findKey(token, keys);
  if (key !== null) return openText(token, key);
  // Only a session may have been sealed by another server that shares the secret.
  if (token.length > MAX_TOKEN_LENGTH || keys.purpose !== "session") return null;
  // Loaded on demand: our own tokens have the other form.
  const { openAuthjsText } = await import("./authjs-jwe.ts");
  return openAuthjsText(token, keys);
}

/** Whether a token begins as those that {@link sealClaims} creates with these keys. */
export async function isOwnForm(token: string, keys: SealingKeys): Promise<boolean> {
  return (await findKey(token, keys)) !== null;
}

async function findKey(token: string, { secrets, purpose, salt }: SealingKeys): Promise<DirectKey | null> {
  for (const secret of secrets) {
    const key = await deriveDirectKey(secret, purpose, salt);
    if (isSealedWith(token, key)) return key;
  }
  return null;
}

/** Rules 2 and 3 of {@link openClaims}. Never throws. */
export function parseCurrentClaims(text: string): JWT | null {
  const claims = parseClaims(text);
  return claims !== null && isCurrent(claims) ? claims : null;
}

function parseClaims(text: string): JWT | null {
  try {
    const claims: unknown = JSON.parse(text);
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
