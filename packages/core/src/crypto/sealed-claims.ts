import { type CompactJWEHeaderParameters, EncryptJWT, jwtDecrypt } from "jose";
import type { JWT } from "../model/records.ts";
import { CLOCK_TOLERANCE, type Seconds } from "../model/units.ts";
import { type ContentEncryption, type DerivedKey, deriveKey } from "./keys.ts";
import { randomToken } from "./primitives.ts";

/**
 * Claims in an encrypted JWT (JWE compact serialisation, `alg: dir`), the form of every cookie that holds a secret.
 *
 * Sealing uses A256GCM with a random 96-bit nonce. One key may seal 2^32 messages before the chance of a repeated nonce
 * reaches 2^-32 (NIST SP 800-38D §8.3): a thousand sign-ins a second for fifty days under one secret. Rotate the secret
 * before that.
 */

/** What a sealed value is for; part of the key, so that a value sealed for one purpose never opens as another. */
export type Purpose =
  | "session"
  | "csrf-token"
  | "state"
  | "pkce"
  | "nonce"
  | "challenge"
  | "proxy-state"
  | "email-token";

/** Which keys seal and open. */
export interface SealingKeys {
  /** The first seals, each opens. */
  readonly secrets: readonly string[];
  readonly purpose: Purpose;
  readonly salt: string;
}

/** A JWE longer than this was not made here: five cookies hold less. */
const MAX_TOKEN_LENGTH = 24_576;

/** Seals claims for `lifetime` seconds; `iat`, `exp` and, unless given, `jti` are set. */
export async function sealClaims(claims: JWT, keys: SealingKeys, lifetime: Seconds): Promise<string> {
  const { key, kid } = await deriveKey(keys.secrets[0] ?? "", keys.purpose, keys.salt, "A256GCM");
  const issuedAt = Math.floor(Date.now() / 1000);
  const { sub, ...rest } = claims;
  const subject = sub === undefined ? {} : { sub };
  const times = { iat: issuedAt, exp: issuedAt + lifetime, jti: claims.jti ?? randomToken(16) };
  return new EncryptJWT({ ...rest, ...subject, ...times })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid })
    .encrypt(key);
}

/**
 * Opens what {@link sealClaims} sealed. Never throws: whatever is wrong with the token, the answer is null, so that nobody
 * learns why (ASVS 11.2.5).
 *
 * 1. Only `alg: dir` and the two content encryptions are looked at, before any key is derived (RFC 8725 §3.1).
 * 2. `kid` names the key; without it every secret is tried.
 * 3. `exp` must be there and not past, give or take {@link CLOCK_TOLERANCE}.
 */
export async function openClaims(token: string, keys: SealingKeys): Promise<JWT | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  for (const secret of keys.secrets) {
    const opened = await tryOpen(token, keys, secret);
    if (opened.kind === "opened") return opened.claims;
    if (opened.kind === "refused") return null;
  }
  return null;
}

type Opened =
  | { readonly kind: "opened"; readonly claims: JWT }
  | { readonly kind: "refused" }
  | { readonly kind: "try-next" };

async function tryOpen(token: string, keys: SealingKeys, secret: string): Promise<Opened> {
  let named = false;
  try {
    const { payload } = await jwtDecrypt(
      token,
      async ({ kid, enc = "" }: CompactJWEHeaderParameters) => {
        named = kid !== undefined;
        const selected = named ? await keyByKid(kid, enc, keys) : await keyFor(secret, enc, keys);
        return selected.key;
      },
      OPTIONS,
    );
    return isTimestamp(payload.exp) ? { kind: "opened", claims: payload } : { kind: "refused" };
  } catch {
    return named ? { kind: "refused" } : { kind: "try-next" };
  }
}

const OPTIONS = {
  keyManagementAlgorithms: ["dir"],
  contentEncryptionAlgorithms: ["A256GCM", "A256CBC-HS512"],
  clockTolerance: CLOCK_TOLERANCE,
};

const isTimestamp = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

function keyFor(secret: string, enc: string, keys: SealingKeys): Promise<DerivedKey> {
  return deriveKey(secret, keys.purpose, keys.salt, parseEncryption(enc));
}

async function keyByKid(kid: string | undefined, enc: string, keys: SealingKeys): Promise<DerivedKey> {
  for (const secret of keys.secrets) {
    const candidate = await keyFor(secret, enc, keys);
    if (candidate.kid === kid) return candidate;
  }
  throw new Error("no secret has this key id");
}

function parseEncryption(enc: string): ContentEncryption {
  return enc === "A256GCM" ? "A256GCM" : "A256CBC-HS512";
}
