const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * Computes the six-digit code of an authenticator app (RFC 6238 with SHA-1 and 30-second steps), for tests of an
 * application with a second factor. Implemented independently of `@cardea/second-factor`.
 *
 * @param secret In base32; spaces are ignored.
 * @param at Milliseconds since 1970; default `Date.now()`.
 */
export async function totpCode(secret: string, at: number = Date.now()): Promise<string> {
  const digits = [...secret.replaceAll(" ", "").toUpperCase()].map((one) => ALPHABET.indexOf(one));
  const bits = digits.map((digit) => digit.toString(2).padStart(5, "0")).join("");
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / 30_000)));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  const mac = new DataView(await crypto.subtle.sign("HMAC", key, counter.buffer));
  // RFC 4226 §5.3: dynamic truncation.
  const number = mac.getUint32(mac.getUint8(19) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}
