import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hmac, webHmac } from "./hmac.ts";

describe("hmac()", () => {
  it.each([
    ["Jefe", "what do ya want for nothing?"],
    [
      "a secret that is longer than one block of the hash, which is one hundred and twenty-eight bytes, so that it is hashed first, itself",
      "é",
    ],
  ])("is HMAC-SHA-512 (RFC 4231): %s", async (secret, text) => {
    const expected = createHmac("sha512", secret).update(text).digest("hex");
    const encoder = new TextEncoder();
    const made = [await hmac(secret, text), await webHmac(encoder.encode(secret), encoder.encode(text))];
    for (const bytes of made) expect(Buffer.from(bytes).toString("hex")).toBe(expected);
  });
});
