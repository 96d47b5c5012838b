/** What section 9 of the specification promises of each key of the configuration. */

import { createAuth } from "@cardea/core";
import type { AuthConfig, JWT } from "@cardea/core/types";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, cookieHeader, installClock, ORIGIN, SECRET, setUp, takePrinted } from "../harness/harness.ts";
import { begin } from "../harness/oauth-journeys.ts";
import { read } from "../harness/session-journeys.ts";

/** What a user without our types may pass. */
function parseConfig(value: unknown): AuthConfig {
  return value as AuthConfig;
}

function parseToken(value: string): JWT {
  return JSON.parse(value) as JWT;
}

describe("configuration", () => {
  it("spec 9 providers are required, of any kind and in any order", async () => {
    expect(() => createAuth(parseConfig({ secret: SECRET }))).toThrow(/`providers`/);
    const { config } = setUpDatabase();
    const listed = async (providers: AuthConfig["providers"]) => {
      const { handlers } = createAuth({ ...config, providers });
      const answer = await handlers.GET(new Request(`${ORIGIN}${BASE}/providers`));
      return (await answer.text()).match(/(?<="id":")[^"]*/g);
    };
    expect(await listed(config.providers)).toEqual(["op", "credentials", "email"]);
    expect(await listed(config.providers.toReversed())).toEqual(["email", "credentials", "op"]);
  });

  it.each([
    [undefined, "/auth"],
    ["/a/b", "/a/b"],
  ])("spec 9 basePath %s: the actions live below %s", async (basePath, path) => {
    const c = setUp({ config: { basePath } });
    expect((await c.browser.fetch(`${path}/csrf`)).status).toBe(200);
    expect((await c.browser.fetch(`${BASE}/csrf`)).status).toBe(404);
    const providers = await c.browser.fetch(`${path}/providers`);
    expect(await providers.json()).toMatchObject([{ signinUrl: `${ORIGIN}${path}/signin/op` }, {}]);
  });

  it("spec 9 cookies have the names and attributes that were configured", async () => {
    const cookies = { sessionToken: { name: "own-session", options: { sameSite: "strict", path: "/" } } } as const;
    const c = setUp({ config: { cookies } });
    const [line = ""] = (await c.signIn()).headers.getSetCookie().filter((one) => one.startsWith("own-session="));
    expect(line.toLowerCase()).toContain("samesite=strict");
    expect(c.browser.cookies.get(COOKIE.session)).toBe(undefined);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });

  it.each([
    ["https://app.example.com", false, "cardea.session-token", false],
    ["https://app.example.com", undefined, COOKIE.session, true],
    ["http://localhost:3000", undefined, "cardea.session-token", false],
  ])("spec 9 useSecureCookies at %s as %s: the session is in %s", async (origin, useSecureCookies, name, secure) => {
    const c = setUp({ origin, config: { useSecureCookies } });
    const lines = (await c.signIn()).headers.getSetCookie().filter((one) => one.startsWith(`${name}=`));
    expect(lines.map((line) => /; secure/i.test(line))).toEqual([secure]);
  });

  it("spec 9 debug spec 9 logger: details go to the console, but not beside a logger, whose other levels do", async () => {
    await setUp({ config: { debug: true, logger: undefined } }).signInWithOp();
    const [start, callback] = ["POST signin", "GET callback"].map((action) => `"action":"${action}","provider":"op"`);
    expect(takePrinted().filter((line) => line.includes(" step: "))).toEqual(
      [
        `action started {"action":"GET signin"}`,
        `action finished {"action":"GET signin","status":200}`,
        `action started {${start}}`,
        `authorization started {"provider":"op"}`,
        `action finished {${start},"status":302}`,
        `action started {${callback}}`,
        `code exchanged {"provider":"op"}`,
        `sign-in decided {"provider":"op","kind":"user"}`,
        `session issued {"provider":"op","kind":"jwt"}`,
        `action finished {${callback},"status":302}`,
      ].map((line) => `[cardea][debug] step: ${line}`),
    );
    await setUp({ config: { debug: false, logger: undefined } }).signIn();
    expect(takePrinted()).toEqual([]);
    const debug = vi.fn();
    await setUp({ config: { debug: true, logger: { debug } } }).signIn({ password: "wrong", undeclared: "x" });
    expect(debug).toHaveBeenCalled();
    expect(takePrinted()).toEqual([expect.stringMatching(/^\[cardea\]\[warn\] CredentialsSignin: /)]);
    const warn = vi.fn();
    await setUp({ config: { debug: true, logger: { warn } } }).signIn({ password: "wrong", undeclared: "x" });
    expect([warn.mock.calls.length, takePrinted()]).toEqual([1, []]);
  });

  it("spec 9 jwt: its own secret, lifetime, encode and decode make and read session tokens", async () => {
    installClock();
    const own = "canary-secret-of-jwt-alone-thirty-two-bytes";
    const seen: unknown[] = [];
    const jwt: AuthConfig["jwt"] = {
      secret: own,
      maxAge: 600,
      encode: ({ token, secret, maxAge }) => {
        seen.push([secret, maxAge]);
        return `own.${encodeURIComponent(JSON.stringify({ ...token, iat: Math.floor(Date.now() / 1000) }))}`;
      },
      decode: ({ token = "", secret }) => {
        seen.push([secret]);
        return parseToken(decodeURIComponent(token.replace("own.", "")));
      },
    };
    const c = setUp({ config: { jwt } });
    await c.signIn();
    expect(c.browser.cookies.get(COOKIE.session)?.value).toMatch(/^own\./);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    expect(seen).toEqual([[[own], 600], [[own]]]);
  });

  it("spec 9 pages: each of the application's own replaces a built-in one", async () => {
    const pages = { signIn: "/in", signOut: "/out", error: "/oops", verifyRequest: "/mail", newUser: "/hello" };
    const c = setUpDatabase({ config: { pages } });
    const led = async (action: string) => (await c.browser.navigate(`${BASE}/${action}`)).redirectsTo ?? "";
    const targets = await Promise.all(["signin", "signout", "error", "verify-request"].map(led));
    expect(targets.map((target) => new URL(target).pathname)).toEqual(["/in", "/out", "/oops", "/mail"]);
    await c.ask("bob@example.com");
    expect(new URL((await c.open()).redirectsTo ?? "").pathname).toBe("/hello");
    await c.signOut();
    await c.ask("bob@example.com");
    expect(new URL((await c.open()).redirectsTo ?? "").pathname).toBe("/");
  });

  it("spec 9 secret: one seals and opens; of several the first seals and each opens", async () => {
    const next = "canary-secret-that-comes-next-thirty-two-bytes";
    const before = setUp();
    await before.signIn();
    const see = async (secret: AuthConfig["secret"]) => {
      const answer = await setUp({ config: { secret } }).send(`${BASE}/session`, {
        headers: { cookie: cookieHeader(before.browser) },
      });
      return answer.json();
    };
    expect([await see(SECRET), await see([next, SECRET])]).toMatchObject([{ user: {} }, { user: {} }]);
    expect([await see(next), await see([next])]).toEqual([null, null]);
  });

  it("spec 9 session: strategy, lifetime and renewal", async () => {
    const clock = installClock();
    const session = { maxAge: 600, updateAge: 60 };
    for (const strategy of ["jwt", "database"] as const) {
      const memory = createMemoryAdapter();
      const c = setUpDatabase({ strategy, memory, config: { session } });
      await c.signInWithOp();
      expect(memory.snapshot().sessions).toHaveLength(strategy === "database" ? 1 : 0);
      expect((await read(c)).set).toEqual([]);
      clock.advance({ seconds: 61 });
      expect((await read(c)).set).toHaveLength(1);
      expect((await read(c)).body).toMatchObject({ expires: new Date(Date.now() + 600_000).toISOString() });
    }
  });

  it("spec 9 theme gives the built-in pages their look", async () => {
    const theme = { colorScheme: "dark", brandColor: "#123456", buttonText: "#fedcba", logo: "/logo.svg" } as const;
    const page = await (await setUp({ config: { theme } }).browser.navigate(`${BASE}/signin`)).text();
    const plain = await (await setUp().browser.navigate(`${BASE}/signin`)).text();
    for (const part of ["#123456", "#fedcba", 'src="/logo.svg"', ":root{color-scheme:dark"]) {
      expect([page.replace(/: /g, ":").includes(part), plain.replace(/: /g, ":").includes(part)]).toEqual([
        true,
        false,
      ]);
    }
  });

  it("spec 9 trustHost: the host of a request counts when it is trusted, and is refused when not", async () => {
    vi.stubEnv("AUTH_URL", "");
    vi.stubEnv("NEXTAUTH_URL", "");
    const ask = (trustHost: boolean) =>
      setUp({ mayFail: true, config: { trustHost } }).visit(new Request(`https://b.example${BASE}/providers`));
    expect(await (await ask(true)).json()).toMatchObject([{ signinUrl: `https://b.example${BASE}/signin/op` }, {}]);
    const refused = await ask(false);
    expect([refused.status, (await refused.text()).includes("b.example")]).toEqual([500, false]);
  });

  it("spec 9 redirectProxyUrl is where the provider sends people back to", async () => {
    const redirectUri = async (config: Partial<AuthConfig>) =>
      (await begin(setUp({ config }))).searchParams.get("redirect_uri");
    const proxy = "https://auth.example.com/auth";
    expect(await redirectUri({ redirectProxyUrl: proxy })).toBe(`${proxy}/callback/op`);
    expect(await redirectUri({})).toBe(`${ORIGIN}${BASE}/callback/op`);
  });
});
