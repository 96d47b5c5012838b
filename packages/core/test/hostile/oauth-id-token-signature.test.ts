import type { SignatureScript } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUp } from "../harness/harness.ts";
import { attempt, calls, expectNoSignIn, expectRefusedToken, expectSignedIn } from "../harness/oauth-journeys.ts";

describe("oidc id_token: the signature", () => {
  it("H123 refuses an RS256 token of which every byte of the signature was changed", async () => {
    await expectRefusedToken({ sign: "xor5a" });
    await expectRefusedToken({ sign: "xor5a" }, setUp({ provider: { idToken: false } }));
  });

  it.each<[string, SignatureScript]>([
    ["changed after it was signed", "tampered"],
    ["without its signature", "stripped"],
    ["signed with a key that is not published", "other-key"],
  ])("H123 refuses a token %s", async (_, sign) => {
    await expectRefusedToken({ sign });
  });

  it("H125 refuses an unsigned token, although the provider announces `none`", async () => {
    await expectRefusedToken({ sign: "none" });
  });

  it.each(["none", "None", "NONE", "nOnE", "", null, 0, ["RS256"]])("H125 refuses the algorithm %o", async (alg) => {
    await expectRefusedToken({ sign: "stripped", header: { set: { alg } } });
  });

  it.each<SignatureScript>(["hmac-with-public-key-pem", "hmac-with-public-key-jwk", "hmac-with-secret"])(
    "H126 refuses HS256, signed as %s",
    async (sign) => {
      await expectRefusedToken({ sign });
      const announced = setUp();
      announced.op.script = { metadata: { set: { id_token_signing_alg_values_supported: ["RS256", "HS256"] } } };
      await expectRefusedToken({ sign }, announced);
    },
  );

  it("H128 fetches the keys once more when they were changed just before signing", async () => {
    const c = setUp();
    await expectSignedIn(c, await attempt(c));
    expect(calls(c).jwks).toBe(1);
    c.op.script = { jwks: { rotate: "beforeSign" } };
    await expectSignedIn(c, await attempt(c));
    expect(calls(c)).toMatchObject({ jwks: 2, discovery: 1 });
  });

  it("H128 asks for keys once more and no oftener for a key that no one published", async () => {
    const c = setUp();
    await expectSignedIn(c, await attempt(c));
    c.browser.cookies.clear();
    c.op.script = { idToken: { header: { set: { kid: "unheard-of" } } } };
    await expectNoSignIn(c, await attempt(c));
    expect(calls(c).jwks).toBe(2);
  });

  it("H128 asks for keys that no one published a few times in a minute, and still finds those of a rotation", async () => {
    for (const kidOf of [() => "unheard-of", (n: number) => `unheard-of-${n}`]) {
      const c = setUp();
      await expectSignedIn(c, await attempt(c));
      for (let n = 0; n < 6; n++) {
        c.browser.cookies.clear();
        c.op.script = { idToken: { header: { set: { kid: kidOf(n) } } } };
        await expectNoSignIn(c, await attempt(c));
      }
      expect(calls(c).jwks).toBeLessThanOrEqual(3);
    }
    const c = setUp();
    await expectSignedIn(c, await attempt(c));
    c.browser.cookies.clear();
    c.op.script = { idToken: { header: { set: { kid: "unheard-of" } } } };
    for (let n = 0; n < 5; n++) await expectNoSignIn(c, await attempt(c));
    expect(calls(c).jwks).toBe(2);
    c.op.script = { jwks: { rotate: "beforeSign" } };
    await expectSignedIn(c, await attempt(c));
    expect(calls(c).jwks).toBe(3);
  });

  it("H130 accepts a token without kid where one key fits", async () => {
    const c = setUp();
    c.op.script = { jwks: { set: "one-of-each", withoutKid: true }, idToken: { header: { remove: ["kid"] } } };
    await expectSignedIn(c, await attempt(c));
  });

  it("H130 refuses a token without kid where three keys fit: it guesses none", async () => {
    const c = setUp();
    c.op.script = { jwks: { set: "three-of-each", withoutKid: true }, idToken: { header: { remove: ["kid"] } } };
    await expectNoSignIn(c, await attempt(c));
    expect(calls(c).jwks).toBeLessThanOrEqual(2);
  });

  it("H132 uses no key that the token brings along, and fetches none from where it points", async () => {
    await expectRefusedToken({ sign: "embedded-jwk" });
    for (const name of ["jku", "x5u"]) {
      await expectRefusedToken({ sign: "other-key", header: { set: { [name]: "https://evil.example/keys" } } });
    }
    await expectRefusedToken({ sign: "other-key", header: { set: { x5c: ["MIIB"] } } });
  });

  it("H132 refuses critical header extensions, which it does not know", async () => {
    await expectRefusedToken({ header: { set: { crit: ["x"], x: 1 } } });
  });
});
