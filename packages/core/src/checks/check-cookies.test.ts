import { describe, expect, it } from "vitest";
import { resolveConfig } from "../config/resolve-config.ts";
import type { AuthConfig } from "../model/config.ts";
import type { CookiesOptions } from "../model/cookie-options.ts";
import { standardParts } from "../standard.ts";

const secret = "a secret of more than thirty-two bytes for tests";

const resolve = (given: Partial<AuthConfig>, env: Record<string, string> = { AUTH_TRUST_HOST: "true" }) =>
  resolveConfig({ providers: [], secret, ...given }, env, standardParts, { defaultBasePath: "/auth" });

const PRODUCTION = { NODE_ENV: "production", AUTH_TRUST_HOST: "true" };

/** The options that are refused. */
function refused(given: Partial<AuthConfig>, env: Record<string, string> = PRODUCTION): unknown {
  try {
    resolve(given, env);
    return [];
  } catch (error) {
    return String(error).match(/(?<=^ {2}- `cookies\.)[^`]+/gm);
  }
}

const session = (name?: string, options?: object): CookiesOptions => ({ sessionToken: { name, options } as object });

describe("findCookieProblems()", () => {
  it.each([
    [1, { cookies: session("__Host-x", { domain: "example.com" }) }, "domain"],
    [1, { cookies: session("__HOST-x", { path: "/app" }) }, "path"],
    [1, { cookies: session("__Host-x", { domain: "", path: "/" }) }, undefined],
    [1, { cookies: session("__Secure-x", { domain: "example.com", path: "/app" }) }, undefined],
    [1, { cookies: session(undefined, { domain: "example.com", path: "/app" }) }, undefined],
    [2, { cookies: session("__Host-x", { secure: false }) }, "secure"],
    [2, { cookies: session("__secure-x", { secure: false }) }, "secure"],
    [2, { cookies: session("__Secure-x") }, undefined],
    [2, { cookies: session("__Secure-x"), useSecureCookies: false }, "secure"],
    [2, { cookies: session("__Secure-x", { secure: true }), useSecureCookies: false }, undefined],
    [2, { cookies: session(undefined, { sameSite: "None", secure: false }) }, "secure"],
    [2, { cookies: session(undefined, { sameSite: "none" }), useSecureCookies: false }, "secure"],
    [2, { cookies: session(undefined, { sameSite: "none" }) }, undefined],
    [2, { cookies: session(undefined, { secure: false }) }, undefined],
    [2, { useSecureCookies: false }, undefined],
    [3, { cookies: session(undefined, { maxAge: 0 }) }, "maxAge"],
    [3, { cookies: session(undefined, { maxAge: 1 }) }, undefined],
  ] as const)("rule %i: of %j refuses %s", (_, given, option) => {
    expect(refused(given)).toEqual(option === undefined ? [] : [`sessionToken.options.${option}`]);
  });

  it.each([
    [{ AUTH_URL: "https://app.example.com", NODE_ENV: "test" }, ["sessionToken.options.secure"]],
    [{ AUTH_TRUST_HOST: "true", NODE_ENV: "test" }, []],
    [{ AUTH_TRUST_HOST: "true" }, []],
  ] as const)("with %j refuses a cookie without `secure`: %j", (env, problems) => {
    for (const cookies of [
      session("__Secure-x", { secure: false }),
      session(undefined, { sameSite: "none", secure: false }),
    ])
      expect(refused({ cookies }, env)).toEqual(problems);
    expect(refused({ cookies: session("__Secure-x"), useSecureCookies: false }, env)).toEqual(problems);
    expect(refused({ cookies: session("__Host-x", { path: "/app" }) }, env)).toEqual(["sessionToken.options.path"]);
  });

  it("names each cookie, and the cookie of a pending sign-in for the three that it has options of", () => {
    const cookies: CookiesOptions = {
      nonce: { options: { sameSite: "none", secure: false } },
      sessionMark: { name: "__Host-mark" },
      sessionToken: { options: { domain: "example.com" } },
      callbackUrl: { options: { maxAge: 0 } },
    };
    expect(refused({ cookies })).toEqual(["sessionMark.options.domain", "state.options.secure"]);
  });
});

describe("findCookieWarnings()", () => {
  const warningsOf = (given: Partial<AuthConfig>, env: Record<string, string>) =>
    resolve(given, env).warnings.filter((line) => line.startsWith("cookie-on-http: "));

  it.each([
    [{ AUTH_URL: "http://localhost:3000" }, 1],
    [{ NODE_ENV: "development" }, 1],
    [{ NODE_ENV: "development", AUTH_URL: "https://app.test" }, 0],
    [{ NODE_ENV: "production", AUTH_URL: "https://app.example.com" }, 0],
    [{ AUTH_TRUST_HOST: "true" }, 0],
    [{ AUTH_TRUST_HOST: "true", NODE_ENV: "test" }, 0],
  ])("with %j warns %i times", (env, times) => {
    for (const cookies of [session("__Secure-x"), session(undefined, { sameSite: "none" })])
      expect(warningsOf({ cookies }, env)).toHaveLength(times);
    // As in a configuration whose `secure` is that of production.
    if (times === 1) expect(warningsOf({ cookies: session("__Secure-x", { secure: false }) }, env)).toHaveLength(1);
    for (const cookies of [session("x"), session("__Secure-x", { secure: true }), {}])
      expect(warningsOf({ cookies }, env)).toEqual([]);
  });

  it.each(["test", undefined])("warns with NODE_ENV %s about what production refuses", (mode) => {
    const env = { AUTH_TRUST_HOST: "true", ...(mode === undefined ? {} : { NODE_ENV: mode }) };
    for (const given of [
      { cookies: session("__Secure-x", { secure: false }) },
      { cookies: session(undefined, { sameSite: "none", secure: false }) },
      { cookies: session("__Secure-x"), useSecureCookies: false },
    ])
      expect(warningsOf(given, env)).toEqual([expect.stringContaining("`cookies.sessionToken` without `secure`")]);
  });
});
