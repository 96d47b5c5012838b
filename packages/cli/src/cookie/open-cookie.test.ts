import { hkdfSync } from "node:crypto";
import { encode as encodeV5 } from "@auth/core/jwt";
import { createAuth } from "@cardea/core";
import { encode } from "@cardea/core/jwt";
import { EncryptJWT } from "jose";
import { describe, expect, it } from "vitest";
import { openCookie, parseCookie } from "./open-cookie.ts";

const secrets = [{ name: "AUTH_SECRET", value: "a secret of this test" }];

describe("openCookie()", () => {
  it("opens a session of Auth.js v5, under its default name and under another", async () => {
    const token = await encodeV5({
      token: { sub: "5" },
      secret: "a secret of this test",
      salt: "__Secure-authjs.session-token",
    });
    expect(await openCookie(token, secrets)).toMatchObject({
      format: "authjs-v5",
      secret: "AUTH_SECRET",
      salt: "__Secure-authjs.session-token",
      claims: { sub: "5" },
    });
    const named = await encodeV5({ token: { sub: "6" }, secret: "a secret of this test", salt: "sid" });
    expect(await openCookie(named, secrets)).toBeNull();
    expect(await openCookie(named, secrets, "sid")).toMatchObject({ format: "authjs-v5", salt: "sid" });
  });

  it.each([
    ["https://app.example.com", "__Host-cardea.session-token", {}],
    ["https://app.example.com", "__Secure-cardea.session-token", { domain: "example.com" }],
    ["http://app.example.com", "cardea.session-token", {}],
  ])("opens by its value alone a session that `auth()` reads at %s as %s", async (url, name, options) => {
    const [{ value: secret = "" } = {}] = secrets;
    const token = await encode({ token: { name: "Ann", sub: "7" }, secret, salt: name });
    const { auth } = createAuth({ secret, trustHost: true, providers: [], cookies: { sessionToken: { options } } });
    expect(await auth(new Request(url, { headers: { cookie: `${name}=${token}` } }))).not.toBeNull();
    expect(await openCookie(token, secrets)).toMatchObject({ format: "cardea", salt: name, claims: { name: "Ann" } });
  });

  it("opens a session of NextAuth v4", async () => {
    const key = new Uint8Array(
      hkdfSync("sha256", "a secret of this test", "", "NextAuth.js Generated Encryption Key", 32),
    );
    const token = await new EncryptJWT({ sub: "4" }).setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(key);
    expect(await openCookie(token, secrets)).toMatchObject({
      format: "nextauth-v4",
      salt: undefined,
      claims: { sub: "4" },
    });
  });

  it("opens nothing that was changed, or made with another secret", async () => {
    const token = await encodeV5({
      token: { sub: "5" },
      secret: "a secret of this test",
      salt: "authjs.session-token",
    });
    const [header, key, iv, text = "", tag] = token.split(".");
    const changed = [header, key, iv, `${text.startsWith("A") ? "B" : "A"}${text.slice(1)}`, tag].join(".");
    expect(await openCookie(changed, secrets)).toBeNull();
    expect(await openCookie(token, [{ name: "AUTH_SECRET", value: "another" }])).toBeNull();
  });
});

describe("parseCookie()", () => {
  it("reads a value, name=value and a header with chunks in any order", () => {
    expect(parseCookie(" abc ")).toEqual({ name: undefined, value: "abc" });
    expect(parseCookie("sid=abc")).toEqual({ name: "sid", value: "abc" });
    expect(parseCookie("Cookie: a=b; x.session-token.1=d; x.session-token.0=c")).toEqual({
      name: "x.session-token",
      value: "cd",
    });
  });
});
