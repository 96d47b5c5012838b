import { createLocalJWKSet, errors, flattenedVerify, type JSONWebKeySet } from "jose";

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
