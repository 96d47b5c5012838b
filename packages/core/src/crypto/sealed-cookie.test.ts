import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { installClock } from "../../test/harness/harness.ts";
import { CLOCK_TOLERANCE } from "../model/units.ts";
import { sealClaims } from "./sealed-claims.ts";
import { type CookieBinding, openCookie, sealCookie } from "./sealed-cookie.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";
const BINDING: CookieBinding = { secrets: [SECRET], purpose: "state", salt: "cardea.state", provider: "op" };
const PURPOSES = ["csrf-token", "state", "sign-in-time", "challenge", "email-token", "proxy-state"] as const;

describe("sealCookie()", () => {
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
        expect(await openCookie(await sealCookie(given, binding, 60), binding)).toEqual(given);
      }),
      { numRuns: 50 },
    );
  });

  it("says nothing of its value, and differs each time", async () => {
    const sealed = await Promise.all(
      Array.from({ length: 20 }, () => sealCookie({ value: "hidden-value" }, BINDING, 60)),
    );
    expect(new Set(sealed).size).toBe(20);
    expect(sealed.map((one) => Buffer.from(one, "base64url").toString()).join()).not.toContain("hidden");
    for (const one of sealed) expect(one).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });
});

describe("openCookie()", () => {
  it.each([
    ["another provider", { provider: "other" }],
    ["no provider", { provider: null }],
    ["another name", { salt: "cardea.nonce" }],
    ["another secret", { secrets: [`${SECRET}2`] }],
    ["no secret", { secrets: [] }],
  ] as const)("H119 does not open for %s", async (_, other) => {
    expect(await openCookie(await sealCookie({ value: "x" }, BINDING, 60), { ...BINDING, ...other })).toBe(null);
  });

  it.each(PURPOSES)("H073 what is sealed for %s opens for nothing else", async (purpose) => {
    const sealed = await sealCookie({ value: "x" }, { ...BINDING, purpose }, 60);
    const opened = await Promise.all(PURPOSES.map((other) => openCookie(sealed, { ...BINDING, purpose: other })));
    expect(opened).toEqual(PURPOSES.map((other) => (other === purpose ? { value: "x" } : null)));
  });

  it("H336 opens under any of the listed secrets, seals under the first", async () => {
    const rotated = { ...BINDING, secrets: ["a new secret of more than thirty-two bytes", SECRET] };
    expect(await openCookie(await sealCookie({ value: "x" }, BINDING, 60), rotated)).toEqual({ value: "x" });
    expect(await openCookie(await sealCookie({ value: "x" }, rotated, 60), BINDING)).toBe(null);
  });

  it.each([
    [CLOCK_TOLERANCE - 1, true],
    [CLOCK_TOLERANCE, false],
    [CLOCK_TOLERANCE + 1, false],
  ])("H065 %i s after its end it opens: %s", async (seconds, opens) => {
    const clock = installClock();
    const sealed = await sealCookie({ value: "x" }, BINDING, 900);
    clock.advance({ seconds: 900 + seconds });
    expect((await openCookie(sealed, BINDING)) !== null).toBe(opens);
  });

  it.each([[null], ["text"], [5], [undefined]])("does not take %j for a value", async (value) => {
    const sealed = await sealClaims({ value, provider: "op" }, BINDING, 60);
    expect(await openCookie(sealed, BINDING)).toBe(null);
  });

  it("hands on strings alone", async () => {
    const sealed = await sealClaims({ value: { a: "x", b: 5, c: null, d: ["y"] }, provider: "op" }, BINDING, 60);
    expect(await openCookie(sealed, BINDING)).toEqual({ a: "x" });
  });

  it("never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: codePoint }), fc.base64String()), async (text) => {
        expect(await openCookie(text, BINDING)).toBe(null);
        expect(await openCookie(`${text}.${text}.${text}.${text}.${text}`, BINDING)).toBe(null);
      }),
      { numRuns: 50 },
    );
  });
});
