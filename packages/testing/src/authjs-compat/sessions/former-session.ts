import type { JWT, JWTDecodeParams } from "@cardea/core";
import { decode } from "@cardea/core/jwt";
import { jwtDecrypt } from "jose";

/** The session cookie of Auth.js v5 on https. */
export const FORMER_COOKIE = "__Secure-authjs.session-token";

/** Reads our sessions and, until the last of them has expired, those that Auth.js made. */
export async function decodeEither({ token = "", secret, salt }: JWTDecodeParams): Promise<JWT | null> {
  const own = await decode({ token, secret, salt });
  return own ?? openFormer(token, [secret].flat());
}

async function openFormer(token: string, secrets: readonly string[]): Promise<JWT | null> {
  for (const secret of secrets) {
    const key = await formerKey(secret);
    const opened = await jwtDecrypt(token, key, { keyManagementAlgorithms: ["dir"] }).catch(() => null);
    // Its claims are those that your `jwt` callback wrote at Auth.js.
    if (opened !== null) return opened.payload as JWT;
  }
  return null;
}

async function formerKey(secret: string): Promise<Uint8Array> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const info = bytes(`Auth.js Generated Encryption Key (${FORMER_COOKIE})`);
  const material = await crypto.subtle.importKey("raw", bytes(secret), "HKDF", false, ["deriveBits"]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: bytes(FORMER_COOKIE), info };
  return new Uint8Array(await crypto.subtle.deriveBits(hkdf, material, 512));
}
