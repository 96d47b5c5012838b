import { describe, expect, it } from "vitest";
import { resolveCookies } from "./cookie-defaults.ts";

const NAMES = [
  "session-token",
  "session-mark",
  "callback-url",
  "csrf-token",
  "state",
  "challenge",
  "address",
  "identifier",
  "last-method",
  "sign-in-time",
  "error",
];

describe("resolveCookies()", () => {
  it("names and guards every cookie as contract 4 says", () => {
    const secure = Object.values(resolveCookies({}, true));
    expect(secure.map(({ name }) => name)).toEqual(NAMES.map((name) => `__Host-cardea.${name}`));
    for (const { name, options } of secure) {
      const httpOnly = name !== "__Host-cardea.session-mark";
      expect(options).toEqual({ httpOnly, sameSite: "lax", path: "/", secure: true });
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

  it("the mark of the session goes where the session goes", () => {
    const { sessionMark } = resolveCookies({ sessionToken: { name: "sid", options: { domain: "example.com" } } }, true);
    expect(sessionMark.name).toBe("__Secure-cardea.session-mark");
    expect(sessionMark.options).toMatchObject({ domain: "example.com", httpOnly: false, secure: true });
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

  it.each([
    [{}, {}, {}, "lax", undefined],
    [{ sameSite: "strict" }, {}, {}, "lax", undefined],
    [{ sameSite: "strict" }, { sameSite: "strict" }, { sameSite: true }, true, undefined],
    [{ sameSite: "strict" }, { sameSite: "lax" }, { sameSite: "none" }, "none", undefined],
    [{ maxAge: 600 }, { maxAge: 300 }, {}, "lax", 300],
    [{}, {}, { maxAge: 60, path: "/app" }, "lax", 60],
  ] as const)("the cookie of a pending sign-in has the attributes of all three: %j, %j, %j", (...row) => {
    const [state, pkceCodeVerifier, nonce, sameSite, maxAge] = row;
    const given = { state: { options: state }, pkceCodeVerifier: { options: pkceCodeVerifier } };
    const { options } = resolveCookies({ ...given, nonce: { options: nonce } }, true).state;
    expect(options).toMatchObject({ sameSite, path: "path" in nonce ? nonce.path : "/" });
    expect(options.maxAge).toBe(maxAge);
  });

  it.each([
    ["None", "none"],
    ["NONE", "none"],
    ["Lax", "lax"],
    ["Strict", "strict"],
    [true, true],
    [false, false],
  ] as const)("`sameSite` has any letter case, also among those of the pending cookie: %s", (written, sameSite) => {
    // As JavaScript may write it; the check of the options accepts it.
    const own = { options: { sameSite: written as "none" } };
    const given = { sessionToken: own, state: own, pkceCodeVerifier: own, nonce: own };
    const { sessionToken, sessionMark, state } = resolveCookies(given, true);
    for (const { options } of [sessionToken, sessionMark, state]) expect(options.sameSite).toBe(sameSite);
    const laxest = ["none", false].includes(sameSite) ? sameSite : "lax";
    expect(resolveCookies({ nonce: own }, true).state.options.sameSite).toBe(laxest);
  });

  it("an attribute of `state` comes before that of the other two", () => {
    const option = (path: string) => ({ options: { path } });
    const given = { state: option("/a"), pkceCodeVerifier: option("/b"), nonce: option("/c") };
    expect(resolveCookies(given, true).state.options.path).toBe("/a");
  });

  it.each(["__Host-sid", "__Secure-sid", "sid", "__Host-__Secure-sid"])(
    "keys for %s are derived from the whole name",
    (name) => {
      expect(resolveCookies({ sessionToken: { name } }, true).sessionToken.salt).toBe(name);
    },
  );
});
