import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leftHalfHash, randomHex, randomToken, sha256, sha256Hex } from "./primitives.ts";

describe("randomToken()", () => {
  it("H159 has 43 characters of base64url for 32 bytes, and never repeats", () => {
    const tokens = Array.from({ length: 10_000 }, () => randomToken());
    expect(new Set(tokens).size).toBe(10_000);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    [1, 2],
    [16, 22],
    [32, 43],
  ])("writes %i bytes as %i characters", (bytes, length) => {
    expect(randomToken(bytes)).toHaveLength(length);
  });
});

describe("randomHex()", () => {
  it("has 64 digits, and uses every one of them in every place", () => {
    const values = Array.from({ length: 1_000 }, randomHex);
    expect(new Set(values).size).toBe(1_000);
    for (let place = 0; place < 64; place++) {
      expect(new Set(values.map((value) => value[place])).size).toBe(16);
    }
    for (const value of values) expect(value).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("sha256()", () => {
  it("is the PKCE challenge of RFC 7636 appendix B", async () => {
    const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    expect(await sha256(verifier)).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  });

  it("agrees with Node for any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
        expect(await sha256(text)).toBe(createHash("sha256").update(text).digest("base64url"));
        expect(await sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
      }),
      { numRuns: 50 },
    );
  });
});

describe("leftHalfHash()", () => {
  it.each([
    ["RS256", "sha256"],
    ["ES384", "sha384"],
    ["PS512", "sha512"],
    ["EdDSA", "sha512"],
    ["Ed25519", "sha512"],
  ])("H144 for %s it is half of %s (OIDC Core §3.1.3.6)", async (alg, hash) => {
    const digest = createHash(hash).update("access token").digest();
    expect(await leftHalfHash("access token", alg)).toBe(digest.subarray(0, digest.length / 2).toString("base64url"));
  });
});
