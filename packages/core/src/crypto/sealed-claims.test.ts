import fc from "fast-check";
import { CompactEncrypt, calculateJwkThumbprint } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { type ContentEncryption, deriveKey } from "../../test/harness/forge.ts";
import { installClock } from "../../test/harness/harness.ts";
import { CLOCK_TOLERANCE, SERVER_CLOCK_DIFFERENCE } from "../model/units.ts";
import { deriveCbcKey, deriveDirectKey, encryptText, type SealingKeys } from "./direct-jwe.ts";
import { encodeBase64url } from "./primitives.ts";
import {
  type CookieBinding,
  decryptClaims,
  decryptCookie,
  encryptClaims,
  encryptCookie,
  findKey,
} from "./sealed-claims.ts";

const NOW = 1_800_000_000;
const SECRET = "a secret of more than thirty-two bytes for tests";
const FORMER = "another secret of more than thirty-two bytes, before";
const keys: SealingKeys = { secrets: [SECRET], purpose: "session", salt: "cardea.session-token" };
const rotated: SealingKeys = { ...keys, secrets: [SECRET, FORMER] };
const former: SealingKeys = { ...keys, secrets: [FORMER] };

/** Seals any claims with our key, as they are. */
async function sealExactly(claims: unknown): Promise<string> {
  return encryptText(JSON.stringify(claims), await deriveDirectKey(SECRET, keys.purpose, keys.salt));
}

/** Seals as jose does, with or without the id of the key. */
async function sealWithJose(secret: string, enc: ContentEncryption, named: boolean): Promise<string> {
  const { key, kid } = deriveKey(secret, keys.purpose, keys.salt, enc);
  const claims = new TextEncoder().encode(JSON.stringify({ sub: "7", exp: NOW + 60 }));
  const header = named ? { kid, enc, alg: "dir" } : { alg: "dir", enc };
  return new CompactEncrypt(claims).setProtectedHeader(header).encrypt(key);
}

describe("at a known time", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOW * 1000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  describe("encryptClaims()", () => {
    it("sets iat, exp and jti, whatever the claims say of the first two", async () => {
      const opened = await decryptClaims(await encryptClaims({ sub: "7", iat: 1, exp: 2 }, keys, 60), keys);
      expect(opened).toEqual({ sub: "7", iat: NOW, exp: NOW + 60, jti: expect.stringMatching(/^[\w-]{22}$/) });
    });

    it("keeps a jti that is there", async () => {
      expect(await decryptClaims(await encryptClaims({ jti: "mine" }, keys, 60), keys)).toMatchObject({ jti: "mine" });
    });
  });

  describe("decryptClaims()", () => {
    it("refuses what is no token of five parts, and what is too long to be one", async () => {
      for (const token of ["", ".", "a.b.c.d.e", "....", "x".repeat(24_577)]) {
        expect(await decryptClaims(token, keys)).toBeNull();
      }
    });

    it("1. opens with any of the secrets and refuses without", async () => {
      const token = await encryptClaims({ sub: "7" }, former, 60);
      expect(await decryptClaims(token, rotated)).toMatchObject({ sub: "7" });
      expect(await decryptClaims(token, keys)).toBeNull();
    });

    it.each([
      ["A256GCM", true],
      ["A256GCM", false],
      ["A256CBC-HS512", true],
      ["A256CBC-HS512", false],
    ] as const)("1. opens what another library sealed with %s, key named: %s", async (enc, named) => {
      expect(await decryptClaims(await sealWithJose(FORMER, enc, named), rotated)).toMatchObject({ sub: "7" });
      expect(await decryptClaims(await sealWithJose(FORMER, enc, named), keys)).toBeNull();
    });

    it.each([
      ["a list", []],
      ["null", null],
      ["a string", "text"],
      ["a number", 7],
    ])("2. refuses %s", async (_, claims) => {
      expect(await decryptClaims(await sealExactly(claims), keys)).toBeNull();
    });

    it("2. refuses what is not JSON", async () => {
      const key = await deriveDirectKey(SECRET, keys.purpose, keys.salt);
      expect(await decryptClaims(await encryptText("{", key), keys)).toBeNull();
    });

    it("3. opens until a second before exp and the tolerance have passed", async () => {
      const opens = async (exp: unknown) => (await decryptClaims(await sealExactly({ exp }), keys)) !== null;
      expect(await opens(NOW - CLOCK_TOLERANCE + 1)).toBe(true);
      expect(await opens(NOW - CLOCK_TOLERANCE)).toBe(false);
      expect(await opens(NOW - CLOCK_TOLERANCE - 1)).toBe(false);
      for (const exp of [undefined, null, String(NOW + 60), NOW + 0.5, -1, 0, 2 ** 53])
        expect(await opens(exp)).toBe(false);
    });

    it.each(["nbf", "iat"])("3. opens what another server's clock dates up to a minute ahead: %s", async (name) => {
      const opens = async (time: unknown) =>
        (await decryptClaims(await sealExactly({ exp: NOW + 600, [name]: time }), keys)) !== null;
      expect(await opens(NOW + SERVER_CLOCK_DIFFERENCE - 1)).toBe(true);
      expect(await opens(NOW + SERVER_CLOCK_DIFFERENCE)).toBe(true);
      expect(await opens(NOW + SERVER_CLOCK_DIFFERENCE + 1)).toBe(false);
      for (const time of ["soon", null, [], {}, true]) expect(await opens(time)).toBe(false);
    });

    it("3. holds tokens of other libraries to the same times", async () => {
      for (const [iat, isOpen] of [
        [NOW - 60, true],
        [NOW + 60, true],
        [NOW + 61, false],
      ] as const) {
        const { key } = await deriveCbcKey(SECRET, keys.purpose, keys.salt);
        const text = JSON.stringify({ sub: "7", iat, exp: NOW + 600 });
        const token = await new CompactEncrypt(new TextEncoder().encode(text))
          .setProtectedHeader({ alg: "dir", enc: "A256CBC-HS512" })
          .encrypt(key);
        expect((await decryptClaims(token, keys)) !== null).toBe(isOpen);
      }
    });
  });

  describe("deriveCbcKey()", () => {
    it("names a key by its thumbprint (RFC 7638)", async () => {
      const { key, kid } = await deriveCbcKey(SECRET, "session", "salt");
      expect(kid).toBe(await calculateJwkThumbprint({ kty: "oct", k: encodeBase64url(key) }));
    });
  });

  describe("deriveDirectKey()", () => {
    it("derives once for the same use, and again for any other", async () => {
      const derived = deriveDirectKey(SECRET, "session", "salt");
      expect(deriveDirectKey(SECRET, "session", "salt")).toBe(derived);
      const others = [
        deriveDirectKey(FORMER, "session", "salt"),
        deriveDirectKey(SECRET, "state", "salt"),
        deriveDirectKey(SECRET, "session", "other salt"),
        deriveCbcKey(SECRET, "session", "salt"),
      ];
      const ids = await Promise.all([derived, ...others].map(async (key) => (await key).kid));
      expect(new Set(ids).size).toBe(5);
    });
  });

  it("tries each of more secrets than keys are cached, once", async () => {
    const secrets = Array.from({ length: 40 }, (_, n) => `secret number ${n}, of more than thirty-two bytes`);
    const last = { ...keys, secrets: secrets.slice(-1) };
    const token = await encryptClaims({ sub: "ann" }, last, 3600);
    expect(await findKey(token, { ...keys, secrets })).not.toBeNull();
    expect(await findKey(await encryptClaims({ sub: "ann" }, former, 3600), { ...keys, secrets })).toBeNull();
  });
});

const BINDING: CookieBinding = { secrets: [SECRET], purpose: "state", salt: "cardea.state", provider: "op" };
const PURPOSES = ["csrf-token", "state", "sign-in-time", "challenge", "email-token", "proxy-state"] as const;

describe("encryptCookie()", () => {
  it("is opened by openCookie() under the same binding, whatever the value", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 20 });
    const value = fc.dictionary(
      text.filter((name) => name !== "__proto__"),
      text,
      { maxKeys: 4, noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(value, fc.option(text), async (given, provider) => {
        const binding = { ...BINDING, provider };
        expect(await decryptCookie(await encryptCookie(given, binding, 60), binding)).toEqual(given);
      }),
      { numRuns: 50 },
    );
  });

  it("says nothing of its value, and differs each time", async () => {
    const sealed = await Promise.all(
      Array.from({ length: 20 }, () => encryptCookie({ value: "hidden-value" }, BINDING, 60)),
    );
    expect(new Set(sealed).size).toBe(20);
    expect(sealed.map((one) => Buffer.from(one, "base64url").toString()).join()).not.toContain("hidden");
    for (const one of sealed) expect(one).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });
});

describe("decryptCookie()", () => {
  it.each([
    ["another provider", { provider: "other" }],
    ["no provider", { provider: null }],
    ["another name", { salt: "cardea.nonce" }],
    ["another secret", { secrets: [`${SECRET}2`] }],
    ["no secret", { secrets: [] }],
  ] as const)("H119 does not open for %s", async (_, other) => {
    expect(await decryptCookie(await encryptCookie({ value: "x" }, BINDING, 60), { ...BINDING, ...other })).toBe(null);
  });

  it.each(PURPOSES)("H073 what is sealed for %s opens for nothing else", async (purpose) => {
    const sealed = await encryptCookie({ value: "x" }, { ...BINDING, purpose }, 60);
    const opened = await Promise.all(PURPOSES.map((other) => decryptCookie(sealed, { ...BINDING, purpose: other })));
    expect(opened).toEqual(PURPOSES.map((other) => (other === purpose ? { value: "x" } : null)));
  });

  it("H336 opens under any of the listed secrets, seals under the first", async () => {
    const rotated = { ...BINDING, secrets: ["a new secret of more than thirty-two bytes", SECRET] };
    expect(await decryptCookie(await encryptCookie({ value: "x" }, BINDING, 60), rotated)).toEqual({ value: "x" });
    expect(await decryptCookie(await encryptCookie({ value: "x" }, rotated, 60), BINDING)).toBe(null);
  });

  it.each([
    [CLOCK_TOLERANCE - 1, true],
    [CLOCK_TOLERANCE, false],
    [CLOCK_TOLERANCE + 1, false],
  ])("H065 %i s after its end it opens: %s", async (seconds, opens) => {
    const clock = installClock();
    const sealed = await encryptCookie({ value: "x" }, BINDING, 900);
    clock.advance({ seconds: 900 + seconds });
    expect((await decryptCookie(sealed, BINDING)) !== null).toBe(opens);
  });

  it.each([[null], ["text"], [5], [undefined]])("does not take %j for a value", async (value) => {
    const sealed = await encryptClaims({ value, provider: "op" }, BINDING, 60);
    expect(await decryptCookie(sealed, BINDING)).toBe(null);
  });

  it("hands on strings alone", async () => {
    const sealed = await encryptClaims({ value: { a: "x", b: 5, c: null, d: ["y"] }, provider: "op" }, BINDING, 60);
    expect(await decryptCookie(sealed, BINDING)).toEqual({ a: "x" });
  });

  it("never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: codePoint }), fc.base64String()), async (text) => {
        expect(await decryptCookie(text, BINDING)).toBe(null);
        expect(await decryptCookie(`${text}.${text}.${text}.${text}.${text}`, BINDING)).toBe(null);
      }),
      { numRuns: 50 },
    );
  });
});
