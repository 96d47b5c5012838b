import { describe, expect, it } from "vitest";
import { resolveCookies } from "./cookie-defaults.ts";

const NAMES = [
  "session-token",
  "callback-url",
  "csrf-token",
  "pkce.code_verifier",
  "state",
  "nonce",
  "challenge",
  "address",
];

describe("resolveCookies()", () => {
  it("names and guards every cookie as contract 4 says", () => {
    const secure = Object.values(resolveCookies({}, true));
    expect(secure.map(({ name }) => name)).toEqual(NAMES.map((name) => `__Host-cardea.${name}`));
    for (const { options } of secure) {
      expect(options).toEqual({ httpOnly: true, sameSite: "lax", path: "/", secure: true });
    }
    const plain = Object.values(resolveCookies({}, false));
    expect(plain.map(({ name }) => name)).toEqual(NAMES.map((name) => `cardea.${name}`));
    for (const { options } of plain) expect(options.secure).toBe(false);
  });

  it.each([
    [{ path: "/" }, "__Host-"],
    [{ domain: undefined }, "__Host-"],
    [{ domain: "" }, "__Host-"],
    [{ domain: "example.com" }, "__Secure-"],
    [{ path: "/app" }, "__Secure-"],
    [{ secure: false }, ""],
    [{ secure: false, domain: "example.com" }, ""],
  ])("with %j the prefix is %j (RFC 6265bis §4.1.3)", (options, prefix) => {
    expect(resolveCookies({ sessionToken: { options } }, true).sessionToken.name).toBe(`${prefix}cardea.session-token`);
  });

  it("no plain cookie has a prefix, unless the application makes it secure", () => {
    expect(resolveCookies({ state: { options: { domain: "example.com" } } }, false).state.name).toBe("cardea.state");
    expect(resolveCookies({ state: { options: { secure: true } } }, false).state.name).toBe("__Host-cardea.state");
  });

  it("a name of the application's own is kept as it is; only what is given changes", () => {
    const { sessionToken, state } = resolveCookies(
      { sessionToken: { name: "sid", options: { sameSite: "strict" } } },
      true,
    );
    expect(sessionToken.name).toBe("sid");
    expect(sessionToken.options).toEqual({ httpOnly: true, sameSite: "strict", path: "/", secure: true });
    expect(state.name).toBe("__Host-cardea.state");
  });

  it.each(["__Host-sid", "__Secure-sid", "sid", "__Host-__Secure-sid"])(
    "keys for %s are derived from the whole name",
    (name) => {
      expect(resolveCookies({ sessionToken: { name } }, true).sessionToken.salt).toBe(name);
    },
  );
});
