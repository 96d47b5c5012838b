import { decodeBase64url, encodeBase64url } from "@cardea/extend";

/** Padded base64 (RFC 4648 §4), in which tables created by Auth.js store credential ids and public keys. */

/** Never throws. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encodeBase64url(bytes).replaceAll("-", "+").replaceAll("_", "/");
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

/**
 * Inverse of {@link encodeBase64}; also accepts the URL alphabet and missing padding. Never throws; null for anything else.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  return decodeBase64url(
    text
      .replace(/={1,2}$/, "")
      .replaceAll("+", "-")
      .replaceAll("/", "_"),
  );
}
