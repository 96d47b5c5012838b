import { Auth, createAuth } from "@cardea/core";
import type { AuthConfig } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import { BASE, type Case, expectRefused, ORIGIN, PASSWORD, setUp, takePrinted } from "../harness/harness.ts";

/** What a program without types might pass. */
function parseConfig(value: unknown): AuthConfig {
  return value as AuthConfig;
}

function postJson(c: Case, action: string, body: string) {
  const headers = { "content-type": "application/json" };
  return c.browser.fetch(`${BASE}/${action}`, { method: "POST", headers, body, follow: "none" });
}

/** Each option with something that it is not, and the name that the error must say. */
const CONFUSIONS: readonly (readonly [name: string, overrides: Readonly<Record<string, unknown>>])[] = [
  ["secret", { secret: 5 }],
  ["secret", { secret: [5] }],
  ["secret", { secret: { a: 1 } }],
  ["providers", { providers: undefined }],
  ["providers", { providers: {} }],
  ["providers", { providers: "google" }],
  ["session.strategy", { session: { strategy: "cookie" } }],
  ["session.maxAge", { session: { maxAge: "30d" } }],
  ["session.maxAge", { session: { maxAge: 0 } }],
  ["session.maxAge", { session: { maxAge: Number.NaN } }],
  ["session.maxAge", { session: { maxAge: 1.5 } }],
  ["session.maxAge", { session: { maxAge: Number.MAX_SAFE_INTEGER } }],
  ["session.updateAge", { session: { updateAge: -1 } }],
  ["session.generateSessionToken", { session: { generateSessionToken: "x" } }],
  ["session", { session: "jwt" }],
  ["jwt.maxAge", { jwt: { maxAge: "1h" } }],
  ["jwt.encode", { jwt: { encode: {} } }],
  ["basePath", { basePath: 5 }],
  ["basePath", { basePath: "auth" }],
  ["basePath", { basePath: "/a b" }],
  ["basePath", { basePath: "/auth?x" }],
  ["basePath", { basePath: "" }],
  ["basePath", { basePath: "//evil.example" }],
  ["basePath", { basePath: "/a//b" }],
  ["basePath", { basePath: "/a/../b" }],
  ["basePath", { basePath: "/." }],
  ["callbacks.signIn", { callbacks: { signIn: "yes" } }],
  ["callbacks", { callbacks: [] }],
  ["events.signIn", { events: { signIn: "log" } }],
  ["pages.signIn", { pages: { signIn: "javascript:alert(1)" } }],
  ["pages.signIn", { pages: { signIn: "https://" } }],
  ["pages.signIn", { pages: { signIn: "http://[" } }],
  ["pages.error", { pages: { error: "//evil.example" } }],
  ["pages.error", { pages: { error: "/a\r\nb" } }],
  ["pages.newUser", { pages: { newUser: 5 } }],
  ["cookies.sessionToken.name", { cookies: { sessionToken: { name: "a b" } } }],
  ["cookies.sessionToken.name", { cookies: { sessionToken: { name: "" } } }],
  ["cookies.csrfToken.options.path", { cookies: { csrfToken: { options: { path: "/; Secure" } } } }],
  ["cookies.csrfToken.options.domain", { cookies: { csrfToken: { options: { domain: "a; b" } } } }],
  ["cookies.sessionToken.options.sameSite", { cookies: { sessionToken: { options: { sameSite: "sometimes" } } } }],
  ["cookies.sessionToken.options.secure", { cookies: { sessionToken: { options: { secure: "yes" } } } }],
  ["cookies.csrfToken.options.maxAge", { cookies: { csrfToken: { options: { maxAge: "1h" } } } }],
  ["cookies.csrfToken.options.expires", { cookies: { csrfToken: { options: { expires: "tomorrow" } } } }],
  ["cookies.csrfToken.options.priority", { cookies: { csrfToken: { options: { priority: "top" } } } }],
  ["trustHost", { trustHost: "true" }],
  ["useSecureCookies", { useSecureCookies: "false" }],
  ["debug", { debug: "yes" }],
  ["logger.error", { logger: { error: true } }],
  ["theme.colorScheme", { theme: { colorScheme: "purple" } }],
];

describe("type confusion", () => {
  it.each([
    (token: string) => `{"__proto__":{"csrfToken":"${token}","callbackUrl":"/x"}}`,
    (token: string) => `{"constructor":{"prototype":{"csrfToken":"${token}"}}}`,
    (token: string) => `{"":{"csrfToken":"${token}"},"data":{"csrfToken":"${token}"}}`,
    (token: string) => `{"csrfToken\\u0000":"${token}"}`,
  ])("H372 a token that is not a member of the body itself does not count: %s", async (write) => {
    const c = setUp();
    await c.signIn();
    expectRefused(await postJson(c, "signout", write(await c.csrfToken())));
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    expect(Object.hasOwn(Object.prototype, "csrfToken")).toBe(false);
  });

  it.each(['["/x"]', '{"toString":"/x"}', "5", "true", "null", '{"0":"/x","length":1}'])(
    "H372 the location %s is rejected",
    async (callbackUrl) => {
      const c = setUp();
      const fields = `"username":"ann","password":"${PASSWORD}","callbackUrl":${callbackUrl}`;
      const answer = await postJson(c, "callback/credentials", `{"csrfToken":"${await c.csrfToken()}",${fields}}`);
      expect(answer.headers.get("location")).toBe(ORIGIN);
    },
  );

  it.each(["null", "5", '"x"', "[]", '{"__proto__":{"admin":true}}', '{"user":{"id":"admin"}}'])(
    "H372 updating with %s changes nothing that the application did not ask for",
    async (data) => {
      const c = setUp();
      await c.signIn();
      const answer = await postJson(c, "session", `{"csrfToken":"${await c.csrfToken()}","data":${data}}`);
      expect(await answer.json()).toMatchObject({ user: { name: "ann", email: "ann@example.com" } });
      expect("admin" in {}).toBe(false);
    },
  );

  it.each(CONFUSIONS)("H375 refuses at the start, and names %s: %o", async (name, overrides) => {
    const { config, logs } = setUp({ mayFail: true });
    const confused = parseConfig({ ...config, ...overrides });
    const attempt = () => createAuth(confused);
    const type = name === "session.strategy" ? "UnsupportedStrategy" : "InvalidConfiguration";
    expect(attempt).toThrow(expect.objectContaining({ type }));
    expect(attempt).toThrow(`\`${name}`);
    const answer = await Auth(new Request(`${ORIGIN}${BASE}/session`), confused);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([500, []]);
    expect(await answer.text()).not.toContain(name);
    // Its own logger is told, unless that is what is wrong.
    const said = [...takePrinted(), ...logs.map(({ values }) => Object(values[0]).type)];
    expect(said).toEqual([expect.stringContaining(type)]);
  });

  it.each(["/", "/auth", "/api/auth", "/api/auth/", "/.well-known/auth", "/a.b_c~d-e/..f"])(
    "H375 takes %j for a base path",
    async (basePath) => {
      const c = setUp({ config: { basePath } });
      const answer = await c.send(`${basePath.replace(/\/$/, "")}/providers`);
      expect(answer.status).toBe(200);
    },
  );

  it.each([null, undefined, 5, "x", []])("H375 refuses %j for a configuration", async (value) => {
    expect(() => createAuth(parseConfig(value))).toThrow(expect.objectContaining({ type: "InvalidConfiguration" }));
  });

  it("H375 tells every problem at once, and no value", () => {
    const { config } = setUp();
    const secret = 123456789;
    const confused = parseConfig({ ...config, secret, basePath: 5, session: { maxAge: "30d" } });
    for (const name of ["secret", "basePath", "session.maxAge"]) {
      expect(() => createAuth(confused)).toThrow(`\`${name}\``);
    }
    expect(() => createAuth(confused)).not.toThrow(/123456789|30d/);
  });
});
