import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { buildEmailLink, hashInput, isLinkValid, isToken, looksWeak, parseEmailLink } from "./email-token.ts";

describe("isLinkValid()", () => {
  const facts = { now: 5_000, sentAt: 1_000, expires: 10_000, lastProven: null };

  it("1. H174 counts until its expiry, not at it", () => {
    expect(isLinkValid({ ...facts, now: 9_999 })).toBe(true);
    expect(isLinkValid({ ...facts, now: 10_000 })).toBe(false);
    expect(isLinkValid({ ...facts, now: 10_001 })).toBe(false);
  });

  it("2. H175 is void when it was sent before the link that was used last", () => {
    expect(isLinkValid({ ...facts, lastProven: 999 })).toBe(true);
    expect(isLinkValid({ ...facts, lastProven: 1_000 })).toBe(true);
    expect(isLinkValid({ ...facts, lastProven: 1_001 })).toBe(false);
    expect(isLinkValid({ ...facts, lastProven: 65_000 }), "the clock of another server").toBe(false);
    expect(isLinkValid({ ...facts, lastProven: 65_001 }), "further ahead").toBe(true);
  });
});

describe("parseEmailLink()", () => {
  const read = (params: Record<string, unknown>) => parseEmailLink((name) => params[name]);

  it("reads back what a link was built of", () => {
    const params = { callbackUrl: "https://app.example.com/?a=1&b=2", token: "t+/=", email: "a+b@x.io" };
    const url = new URL(buildEmailLink("https://app.example.com/auth/callback/email", params));
    expect(parseEmailLink((name) => url.searchParams.get(name))).toEqual({ token: "t+/=", email: "a+b@x.io" });
    expect(url.searchParams.get("callbackUrl")).toBe(params.callbackUrl);
  });

  it.each([{}, { token: "t" }, { email: "a@x.io" }, { token: "", email: "a@x.io" }, { token: ["t"], email: "a@x.io" }])(
    "refuses %j",
    (params) => {
      expect(read(params)).toBeNull();
    },
  );

  it.each([
    ["a+b@x.io", "a+b@x.io"],
    ["a b@x.io", "a+b@x.io"],
    ["a b c@x.io", "a+b+c@x.io"],
    [" a@x.io ", "a@x.io"],
  ])("reads the address %j, in which a `+` may have been decoded, as %s", (email, expected) => {
    expect(read({ token: "t", email })?.email).toBe(expected);
  });

  it("refuses a token that is longer than any", () => {
    expect(read({ token: "x".repeat(512), email: "a@x.io" })).not.toBeNull();
    expect(read({ token: "x".repeat(513), email: "a@x.io" })).toBeNull();
  });
});

describe("hashInput()", () => {
  it("is another text for every other token, provider, secret or own data", () => {
    const part = fc.string({ unit: codePoint, maxLength: 8 });
    const facts = fc.record({ token: part, providerId: part, secret: part, own: part });
    fc.assert(
      fc.property(facts, facts, (a, b) => {
        const isSame =
          JSON.stringify([a.token, a.providerId, a.secret, a.own]) ===
          JSON.stringify([b.token, b.providerId, b.secret, b.own]);
        expect(hashInput(a.token, a) === hashInput(b.token, b)).toBe(isSame);
      }),
    );
  });
});

describe("isToken()", () => {
  it.each(["1", "1234", "Zm9v+/=", "a b", "émoji 🙂", "x".repeat(512)])("accepts %j", (token) => {
    expect(isToken(token)).toBe(true);
  });

  it.each([
    "",
    "x".repeat(513),
    "a\nb",
    "a\u0000",
    "\u007f",
    "a\u2028",
    "\ud800",
    "a\u200bb",
    1234,
    null,
    undefined,
    ["t"],
  ])("refuses %j", (token) => {
    expect(isToken(token)).toBe(false);
  });

  it("refuses objects that turn into text", () => {
    expect(isToken({ toString: () => "token" })).toBe(false);
    expect(isToken(new String("token"))).toBe(false);
    expect(isToken(Promise.resolve("token"))).toBe(false);
  });
});

describe("looksWeak()", () => {
  it.each(["1234", "000000000000000000000000000000000000000000001234", "123-456-789-012-345-678", "Tr0ub4dor&3"])(
    "finds %s weak",
    (token) => {
      expect(looksWeak(token)).toBe(true);
    },
  );

  it.each([
    "a".repeat(64),
    "ab".repeat(32),
    "0".repeat(128),
    "correct-horse-battery-staple",
    "3f1c9a0b7d5e4f2a8c6b1d3e5f7a9b0", // 31 hexadecimal digits
    "2b1d8f3a-6a0e-4f0b-9c55-0d2f6f1e7a11",
    "12345678901234567890123456789012345678", // 38 digits are 126 bits
  ])("finds %s weak, however long it is", (token) => {
    expect(looksWeak(token)).toBe(true);
  });

  it("finds 16 random bytes and more strong, as hexadecimal, base64url and decimal digits", () => {
    const random = fc
      .uint8Array({ minLength: 16, maxLength: 32 })
      .map(() => crypto.getRandomValues(new Uint8Array(16)));
    fc.assert(
      fc.property(random, (bytes) => {
        const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
        const isPlain = !/(.)\1{4,}/.test(hex) && new Set(hex).size >= 8;
        const base64url = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
        expect([isPlain && looksWeak(hex), looksWeak(base64url)]).toEqual([false, false]);
      }),
    );
  });
});
