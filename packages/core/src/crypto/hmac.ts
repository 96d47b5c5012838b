const encoder = new TextEncoder();

/** HMAC with SHA-512 (RFC 2104) of a text: 64 bytes that look random and cannot be computed without the secret. */
export async function hmac(secret: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "HMAC", hash: "SHA-512" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}
