import { createHmac } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { verifyHmacSignature } from "./verify-signature.ts";

const SECRET = "a client secret of more than sixty-four bytes, which is what HS512 asks for";

function sign(alg: string, secret = SECRET): Promise<string> {
  return new SignJWT({ sub: "7" }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
}

describe("verifyHmacSignature()", () => {
  it.each(["HS256", "HS384", "HS512"])("verifies %s, and it alone", async (alg) => {
    const token = await sign(alg);
    for (const accepted of ["HS256", "HS384", "HS512"]) {
      expect(await verifyHmacSignature(token, SECRET, accepted)).toBe(accepted === alg);
    }
  });

  it("H126 refuses another secret, and the empty one", async () => {
    const token = await sign("HS256");
    expect(await verifyHmacSignature(token, `${SECRET}.`, "HS256")).toBe(false);
    expect(await verifyHmacSignature(token, "", "HS256")).toBe(false);
  });

  it.each(["none", "RS256", "HS1", "", "hs256", "HS256 "])("accepts no algorithm called %j", async (alg) => {
    expect(await verifyHmacSignature(await sign("HS256"), SECRET, alg)).toBe(false);
  });

  it("H125 refuses a token without signature", async () => {
    const unsecured = new UnsecuredJWT({ sub: "7" }).encode();
    const [header, payload] = (await sign("HS256")).split(".");
    for (const token of [unsecured, `${header}.${payload}.`, `${header}.${payload}`, "", "..", "a.b.c"]) {
      expect(await verifyHmacSignature(token, SECRET, "HS256")).toBe(false);
    }
  });

  it("refuses a changed payload, and a fourth part", async () => {
    const token = await sign("HS256");
    const [header, , signature] = token.split(".");
    const payload = Buffer.from('{"sub":"8"}').toString("base64url");
    expect(await verifyHmacSignature(`${header}.${payload}.${signature}`, SECRET, "HS256")).toBe(false);
    expect(await verifyHmacSignature(`${token}.x`, SECRET, "HS256")).toBe(false);
  });

  it("refuses a header that asks for more than the signature", async () => {
    const sealed = (header: object) => {
      const input = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${Buffer.from("{}").toString("base64url")}`;
      return `${input}.${createHmac("sha256", SECRET).update(input).digest("base64url")}`;
    };
    expect(await verifyHmacSignature(sealed({ alg: "HS256", typ: "JWT" }), SECRET, "HS256")).toBe(true);
    for (const more of [{ crit: ["exp"], exp: 1 }, { crit: [] }, { b64: false }, { crit: ["b64"], b64: false }])
      expect(await verifyHmacSignature(sealed({ alg: "HS256", ...more }), SECRET, "HS256")).toBe(false);
    for (const header of [{}, { alg: "hs256" }, { alg: ["HS256"] }, { alg: "none" }, [], "HS256"])
      expect(await verifyHmacSignature(sealed(Object(header)), SECRET, "HS256")).toBe(false);
  });
});
