import { encodeBase64url } from "@cardea/extend";

/** 32 random bytes, base64url. */
export function randomToken(): string {
  return encodeBase64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** SHA-256 of a text. */
export async function hashOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** Bytes as hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
