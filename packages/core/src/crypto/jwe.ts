import type { DirectJweKey } from "./given-key-jwe.ts";

/**
 * Decrypts a JWE of another library with one of the keys. Never throws; null if no key decrypts it.
 *
 * 1. The header has `alg: dir`, the `enc` of the key, at most `kid` and `typ`, and nothing else (RFC 8725 §3.1, §3.11).
 * 2. A `kid` selects the key; without one each key is tried.
 * 3. A token longer than five cookies is rejected.
 */
export async function decryptJwe(token: string, keys: readonly DirectJweKey[]): Promise<string | null> {
  return (await import("./given-key-jwe.ts")).decryptWithKeys(token, keys);
}

/**
 * Encrypts a text as JWE with `alg: dir`, with a new random nonce. The header names the key's `enc` and, if it has one, its `kid`.
 *
 * @throws TypeError for a key of the wrong length.
 */
export async function encryptJwe(text: string, key: DirectJweKey): Promise<string> {
  return (await import("./given-key-jwe.ts")).encryptWithKey(text, key);
}
