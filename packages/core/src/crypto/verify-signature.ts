import { createLocalJWKSet, errors, flattenedVerify, type JSONWebKeySet } from "jose";
import { decodeBase64url } from "./primitives.ts";

const HASHES: Readonly<Record<string, string>> = { HS256: "SHA-256", HS384: "SHA-384", HS512: "SHA-512" };

const encoder = new TextEncoder();

/**
 * Verifies a JWS that is signed with a shared secret (RFC 7518 §3.2; the key is the UTF-8 of the secret, OIDC Core §10.1).
 * Never throws.
 *
 * 1. There are three parts. The header contains the accepted algorithm and no critical extension (RFC 7515 §4.1.11).
 * 2. The signature is valid and complete.
 *
 * @param alg the only accepted algorithm, `HS256`, `HS384` or `HS512`, whatever the token declares.
 */
export async function verifyHmacSignature(token: string, secret: string, alg: string): Promise<boolean> {
  const [header = "", payload = "", encoded = "", more] = token.split(".");
  const hash = Object.hasOwn(HASHES, alg) ? HASHES[alg] : undefined;
  const signature = decodeBase64url(encoded);
  if (more !== undefined || secret === "" || hash === undefined || signature === null) return false;
  if (!declaresAlgorithm(header, alg) || decodeBase64url(payload) === null) return false;
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash }, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, signature, encoder.encode(`${header}.${payload}`));
}

function declaresAlgorithm(encoded: string, alg: string): boolean {
  const bytes = decodeBase64url(encoded);
  try {
    const header: unknown = bytes === null ? null : JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const { alg: declared, crit, b64 }: Record<string, unknown> = Object(header);
    return declared === alg && crit === undefined && b64 === undefined;
  } catch {
    return false;
  }
}

/**
 * Verifies a JWS with published keys. Never throws.
 *
 * @param algorithms the accepted algorithms. The token chooses one of them, and the key must be of that type (RFC 8725 §3.1).
 * @returns `unknown-key` if none of the keys is the token's, for example after a rotation.
 */
export async function verifyPublished(
  token: string,
  keys: readonly object[],
  algorithms: readonly string[],
): Promise<"verified" | "refused" | "unknown-key"> {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const set: JSONWebKeySet = { keys: keys.map((key) => ({ ...key })) };
  try {
    const find = createLocalJWKSet(set);
    await flattenedVerify({ protected: header, payload, signature }, find, { algorithms: [...algorithms] });
    return "verified";
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? "unknown-key" : "refused";
  }
}
