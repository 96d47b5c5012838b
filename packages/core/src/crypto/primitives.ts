import { encodeBase64url } from "./base64url.ts";
import { type HashEncoding, type NodeCrypto, nodeCrypto } from "./node-crypto.ts";
import { toHex } from "./random-hex.ts";

export { randomHex } from "./random-hex.ts";

const encoder = new TextEncoder();

/** Random bytes from the platform's generator, base64url; 32 bytes are 43 characters (RFC 7636 §7.1). */
export function randomToken(bytes = 32): string {
  return encodeBase64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** SHA-256 of a string, base64url, 43 characters; also the PKCE `S256` challenge of a verifier (RFC 7636 §4.2). */
export async function sha256(text: string): Promise<string> {
  return nodeCrypto === null ? encodeBase64url(await webDigest(text)) : nodeDigest(nodeCrypto, text, "base64url");
}

const HASHES = { "256": "SHA-256", "384": "SHA-384", "512": "SHA-512" } as const;

/**
 * The left half of a hash, base64url: `at_hash` and `c_hash` (OIDC Core §3.1.3.6).
 *
 * @param alg the algorithm of the ID token, which determines the hash: `RS256`, `ES384`, …; EdDSA with Ed25519 uses
 *   SHA-512.
 */
export async function leftHalfHash(text: string, alg: string): Promise<string> {
  const bits = alg.slice(-3);
  const hash = bits === "256" || bits === "384" || bits === "512" ? HASHES[bits] : "SHA-512";
  const whole = new Uint8Array(await crypto.subtle.digest(hash, encoder.encode(text)));
  return encodeBase64url(whole.subarray(0, whole.length / 2));
}

/** A random UUID (RFC 9562 §5.4), for record ids; 122 random bits are too few for a secret (ASVS 11.5.1). */
export function randomUuid(): string {
  return crypto.randomUUID();
}

/** SHA-256 of a string, 64 hexadecimal digits. */
export async function sha256Hex(text: string): Promise<string> {
  return nodeCrypto === null ? toHex(await webDigest(text)) : nodeDigest(nodeCrypto, text, "hex");
}

/** Synchronous {@link sha256}; null in a runtime without `node:crypto`. */
export function hashAtOnce(text: string): string | null {
  return nodeCrypto === null ? null : nodeDigest(nodeCrypto, text, "base64url");
}

function nodeDigest(node: NodeCrypto, text: string, encoding: HashEncoding): string {
  return node.hash?.("sha256", text, encoding) ?? node.createHash("sha256").update(text).digest(encoding);
}

async function webDigest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}
