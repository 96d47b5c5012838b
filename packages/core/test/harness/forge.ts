/** Tokens as an attacker, a former version or a misled server would make them. Test-only. */
import { createHash, hkdfSync } from "node:crypto";
import { base64url, CompactEncrypt } from "jose";
import { COOKIE, SECRET } from "./fixture.ts";

/** The accepted content encryptions, with the bytes of their keys. */
const KEY_BYTES = { A256GCM: 32, "A256CBC-HS512": 64 } as const;

export type ContentEncryption = keyof typeof KEY_BYTES;

/** The key that a secret gives for a purpose and a cookie name, derived as the format of our tokens says. */
export function deriveKey(secret: string, purpose: string, salt: string, enc: ContentEncryption) {
  const key = new Uint8Array(hkdfSync("sha256", secret, salt, `Cardea ${purpose} key (${salt})`, KEY_BYTES[enc]));
  const thumbprint = JSON.stringify({ k: base64url.encode(key), kty: "oct" });
  return { key, kid: createHash("sha256").update(thumbprint).digest("base64url") };
}

/** How a forged token differs from a real session token. */
export interface Forgery {
  readonly secret?: string;
  readonly purpose?: string;
  readonly salt?: string;
  readonly enc?: ContentEncryption;
  /** Whether the header names the key; default true. */
  readonly kid?: boolean;
}

/** Now, in seconds since the epoch. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** Claims as a session token has them. */
export function claims(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { sub: "7", name: "ann", email: "ann@example.com", iat: now(), exp: now() + 3600, jti: "j", ...overrides };
}

/** Seals any payload, JSON or not, with the same key as core. */
export async function sealPayload(payload: string, forgery: Forgery = {}): Promise<string> {
  const { secret = SECRET, purpose = "session", salt = COOKIE.session, enc = "A256GCM" } = forgery;
  const { key, kid } = deriveKey(secret, purpose, salt, enc);
  const header = { alg: "dir", enc, ...(forgery.kid === false ? {} : { kid }) };
  return new CompactEncrypt(new TextEncoder().encode(payload)).setProtectedHeader(header).encrypt(key);
}

/** Seals claims; what is absent of `iat`, `exp` and `jti` stays absent. */
export function sealExactly(payload: unknown, forgery: Forgery = {}): Promise<string> {
  return sealPayload(JSON.stringify(payload), forgery);
}

/** A JWE of five segments that no one encrypted, to see what is done before decrypting. */
export function emptyJwe(header: Readonly<Record<string, unknown>>): string {
  const encode = (text: string) => base64url.encode(text);
  return [encode(JSON.stringify(header)), "a".repeat(43), "a".repeat(16), "a".repeat(64), "a".repeat(22)].join(".");
}
