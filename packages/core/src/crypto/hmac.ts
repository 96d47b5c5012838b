import { nodeCrypto } from "./node-crypto.ts";

const encoder = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

/** HMAC with SHA-512 (RFC 2104): 64 bytes that look random and cannot be computed without the key. Synchronous if possible. */
export function hmacOf(key: Bytes, input: Bytes): Promise<Bytes> | Bytes {
  return nodeCrypto === null ? webHmac(key, input) : nodeCrypto.createHmac("sha512", key).update(input).digest();
}

/** {@link hmacOf} for runtimes without `node:crypto`. */
export async function webHmac(key: Bytes, input: Bytes): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-512" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, input));
}

/** {@link hmacOf} for a text, with a secret as key. */
export async function hmac(secret: string, text: string): Promise<Bytes> {
  return hmacOf(encoder.encode(secret), encoder.encode(text));
}
