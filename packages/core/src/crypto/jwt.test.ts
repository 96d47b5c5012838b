import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { installClock } from "../../test/harness/harness.ts";
import { decode, encode } from "./jwt.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";
const SALT = "cardea.session-token";

describe("encode()", () => {
  it("is opened by decode(), with iat, exp and jti added", async () => {
    const clock = installClock("2026-01-01T00:00:00Z");
    const now = clock.now() / 1000;
    const token = await encode({ token: { sub: "7", name: "ann" }, secret: SECRET, salt: SALT, maxAge: 60 });
    expect(await decode({ token, secret: SECRET, salt: SALT })).toEqual({
      sub: "7",
      name: "ann",
      iat: now,
      exp: now + 60,
      jti: expect.stringMatching(/^[\w-]{22}$/),
    });
  });

  it("lives for 30 days unless told otherwise", async () => {
    const token = await encode({ secret: SECRET, salt: SALT });
    const { iat = 0, exp = 0 } = (await decode({ token, secret: SECRET, salt: SALT })) ?? {};
    expect(exp - iat).toBe(30 * 24 * 60 * 60);
  });

  it("carries any JSON through decode()", async () => {
    const claims = fc.dictionary(
      fc.string({ minLength: 1 }).filter((name) => !/^(__proto__|iat|exp|nbf|jti)$/.test(name)),
      fc.jsonValue(),
      {
        maxKeys: 5,
        noNullPrototype: true,
      },
    );
    await fc.assert(
      fc.asyncProperty(claims, async (token) => {
        const opened = await decode({
          token: await encode({ token, secret: SECRET, salt: SALT }),
          secret: SECRET,
          salt: SALT,
        });
        expect(opened).toEqual({
          ...JSON.parse(JSON.stringify(token)),
          iat: expect.any(Number),
          exp: expect.any(Number),
          jti: expect.any(String),
        });
      }),
      { numRuns: 50 },
    );
  });

  it.each([[""], [[]], [["", ""]]])("H081 throws without a secret: %j", async (secret) => {
    await expect(async () => encode({ secret, salt: SALT })).rejects.toThrow(TypeError);
    await expect(decode({ token: "x", secret, salt: SALT })).rejects.toThrow(TypeError);
  });

  it("names the secret when it is a variable that is not set", async () => {
    const given: { secret: string } = JSON.parse("{}");
    await expect(encode({ ...given, salt: SALT })).rejects.toThrow("`secret` must be");
    await expect(decode({ ...given, token: "x", salt: SALT })).rejects.toThrow("`secret` must be");
  });
});

describe("decode()", () => {
  it.each([undefined, "", "x", "a.b.c.d.e", "..", "null"])("finds nothing in %j", async (token) => {
    expect(await decode({ token, secret: SECRET, salt: SALT })).toBe(null);
  });

  it("the key is derived from the whole name of the cookie, prefix included", async () => {
    const token = await encode({ token: { sub: "7" }, secret: SECRET, salt: `__Host-${SALT}` });
    expect(await decode({ token, secret: SECRET, salt: `__Host-${SALT}` })).toMatchObject({ sub: "7" });
    for (const salt of [SALT, `__Secure-${SALT}`, "other"]) {
      expect(await decode({ token, secret: SECRET, salt })).toBe(null);
    }
  });

  it("H077 opens with each of several secrets; the first seals", async () => {
    const token = await encode({ token: { sub: "7" }, secret: ["new", "old"], salt: SALT });
    expect(await decode({ token, secret: "new", salt: SALT })).toMatchObject({ sub: "7" });
    expect(await decode({ token, secret: ["newer", "new"], salt: SALT })).toMatchObject({ sub: "7" });
    expect(await decode({ token, secret: "old", salt: SALT })).toBe(null);
  });
});
