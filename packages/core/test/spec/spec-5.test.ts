/** Section 5 of the specification: how people prove who they are, and what guards it. */

import { createAuth, skipCSRFCheck } from "@cardea/core";
import { AccessDenied, CredentialsSignin } from "@cardea/core/errors";
import { describe, expect, it, vi } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, type Case, COOKIE, cookieHeader, ORIGIN, PASSWORD, SECRET, setUp } from "../harness/harness.ts";
import { attempt, begin, CALLBACK, expectNoSignIn, expectSignedIn, OAUTH2 } from "../harness/oauth-journeys.ts";

const NEW_SECRET = "canary-new-secret-of-more-than-thirty-two-bytes";

async function sessionSeenBy(app: Case, browser: Case["browser"]): Promise<unknown> {
  return (await app.send(`${BASE}/session`, { headers: { cookie: cookieHeader(browser) } })).json();
}

describe("section 5", () => {
  it("spec 5.1 each kind of provider signs in: OAuth 2, OpenID Connect, credentials, e-mail", async () => {
    const types: unknown[] = [];
    const signIn = ({ account }: { account: { type: string } | null }) => types.push(account?.type) > 0;
    const callbacks = { signIn };
    for (const options of [{ config: { callbacks } }, { ...OAUTH2, config: { callbacks } }]) {
      const c = setUp(options);
      await expectSignedIn(c, await attempt(c));
    }
    const c = setUp({ config: { callbacks } });
    await c.signIn();
    expect(await c.session()).not.toBe(null);
    const app = setUpDatabase({ config: { callbacks } });
    await app.ask("bob@example.com");
    await app.open();
    expect(await app.session()).toMatchObject({ user: { email: "bob@example.com" } });
    expect(types).toEqual(["oidc", "oauth", "credentials", "email", "email"]);
  });

  it("spec 5.2 the callback URL to register is {base}/callback/{id}", async () => {
    const c = setUp({ op: { redirectUris: [CALLBACK] } });
    expect(CALLBACK).toBe(`${ORIGIN}${BASE}/callback/op`);
    await expectSignedIn(c, await attempt(c));
  });

  it("spec 5.3 of several secrets the first seals and each opens", async () => {
    const old = setUp();
    await old.signIn();
    const both = setUp({ config: { secret: [NEW_SECRET, SECRET] } });
    expect(await sessionSeenBy(both, old.browser)).toMatchObject({ user: { name: "ann" } });
    await both.signIn({ username: "bob" });
    expect(await both.session()).toMatchObject({ user: { name: "bob" } });
    const rotated = setUp({ config: { secret: NEW_SECRET } });
    expect(await sessionSeenBy(rotated, both.browser)).toMatchObject({ user: { name: "bob" } });
    expect(await sessionSeenBy(rotated, old.browser)).toBe(null);
    expect(await sessionSeenBy(setUp(), both.browser)).toBe(null);
  });

  it("spec 5.5 the check of the token can be switched off by its marker alone", async () => {
    const c = setUp({ config: { skipCSRFCheck } });
    const form = { username: "ann", password: PASSWORD };
    await c.browser.navigate(`${BASE}/callback/credentials`, { form });
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    const guarded = setUp();
    await guarded.browser.navigate(`${BASE}/callback/credentials`, { form });
    expect(await guarded.session()).toBe(null);
  });

  it("spec 5.6 the host of a request counts only where it is trusted", async () => {
    const url = `https://elsewhere.example.com${BASE}/providers`;
    const trusting = setUp();
    expect(await (await trusting.send(url)).text()).toContain("https://elsewhere.example.com/");
    const wary = setUp({ config: { trustHost: false }, mayFail: true });
    const refused = await wary.send(url);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.text()).not.toContain("elsewhere");
    vi.stubEnv("AUTH_URL", `${ORIGIN}${BASE}`);
    const fixed = await setUp({ config: { trustHost: false } }).send(url);
    expect(await fixed.json()).toMatchObject([{ signinUrl: `${ORIGIN}${BASE}/signin/op` }, {}]);
  });

  it.each([
    { origin: "https://app.example.com", own: undefined, secure: true },
    { origin: "http://app.example.com", own: undefined, secure: false },
    { origin: "http://app.example.com", own: true, secure: true },
    { origin: "https://app.example.com", own: false, secure: false },
  ])("spec 5.7 cookies on $origin with useSecureCookies $own: secure is $secure", async ({ origin, own, secure }) => {
    const c = setUp({ origin, config: { useSecureCookies: own } });
    const answer = await c.send(`${BASE}/csrf`);
    const [line = ""] = answer.headers.getSetCookie();
    expect([/; Secure/i.test(line), line.startsWith("__Host-")]).toEqual([secure, secure]);
  });

  it("spec 5.8 redirectProxyUrl is what the redirect_uri is made of, and state guards it though it was not asked for", async () => {
    const redirectProxyUrl = "https://proxy.example.com/auth";
    const c = setUp({ config: { redirectProxyUrl }, provider: { checks: ["pkce"] } });
    const { searchParams } = await begin(c);
    expect(searchParams.get("redirect_uri")).toBe(`${redirectProxyUrl}/callback/op`);
    expect(searchParams.get("state")).toMatch(/^ey/);
    const own = setUp({ config: { redirectProxyUrl }, provider: { redirectProxyUrl: "https://p2.example.com/auth" } });
    expect((await begin(own)).searchParams.get("redirect_uri")).toBe("https://p2.example.com/auth/callback/op");
    const forged = await c.send(`${CALLBACK}?code=x&state=forged`, { headers: { cookie: cookieHeader(c.browser) } });
    expect(forged.headers.get("location")).toContain("error=OAuthCallbackError");
    expect(c.op.calls.token).toEqual([]);
  });

  it("spec 5.9 callbacks.authorized decides in middleware", async () => {
    const c = setUp({ config: { callbacks: { authorized: ({ auth }) => auth !== null } } });
    const guarded = createAuth(c.config).auth(() => new Response("inside"));
    const out = await guarded(new Request(`${ORIGIN}/dash`));
    expect([out.status, out.headers.get("location")]).toEqual([302, `${ORIGIN}${BASE}/signin?callbackUrl=%2Fdash`]);
    await c.signIn();
    const inside = await guarded(new Request(`${ORIGIN}/dash`, { headers: { cookie: cookieHeader(c.browser) } }));
    expect([inside.status, await inside.text()]).toEqual([200, "inside"]);
  });

  it("spec 5.10 authorize() may throw CredentialsSignin", async () => {
    class Locked extends CredentialsSignin {
      override code = "locked";
    }
    const authorize = () => {
      throw new Locked();
    };
    const c = setUp({ providers: [{ id: "strict", name: "Strict", type: "credentials", credentials: {}, authorize }] });
    const answer = await c.post(`${BASE}/callback/strict`);
    expect(answer.redirectsTo).toBe(`${ORIGIN}${BASE}/signin?error=CredentialsSignin&code=locked`);
    expect(c.browser.cookies.get(COOKIE.session)).toBe(undefined);
  });

  it("spec 5.11 callbacks.signIn: true goes on, a string is where to go", async () => {
    const go = setUp({ config: { callbacks: { signIn: () => true } } });
    await expectSignedIn(go, await attempt(go));
    const elsewhere = setUp({ config: { callbacks: { signIn: () => "/waiting-list" } } });
    expect((await attempt(elsewhere)).redirectsTo).toBe(`${ORIGIN}/waiting-list`);
    expect(await elsewhere.session()).toBe(null);
  });

  it.each([
    ["false", () => false],
    ["a throw", () => Promise.reject(new Error("not on the list"))],
  ])("spec 5.11 callbacks.signIn: %s stops with AccessDenied", async (verdict, signIn) => {
    const c = setUp({ config: { callbacks: { signIn } } });
    await expectNoSignIn(c, await attempt(c), "AccessDenied");
    const isLogged = c.logs.some(({ text }) => text.includes("not on the list"));
    expect(isLogged).toBe(verdict === "a throw");
  });

  it.each([
    ["an error", new Error("banned because X"), "banned because X"],
    ["text", "banned because X", "banned because X"],
    ["an error of the library", new AccessDenied("banned because X"), "banned because X"],
    ["an error without a message", new Error(), "callbacks.signIn threw."],
    ["anything else", { reason: "X" }, "a object was thrown"],
  ])(
    "spec 5.11 callbacks.signIn that throws %s: signIn() rejects with its message, once",
    async (_, thrown, message) => {
      const c = setUp({ config: { callbacks: { signIn: () => Promise.reject(thrown) } } });
      const { signIn } = createAuth(c.config);
      const fields = { username: "ann", password: PASSWORD };
      const denied = await signIn(new Request(`${ORIGIN}/`), "credentials", fields).catch((error: unknown) => error);
      expect(denied).toMatchObject({ type: "AccessDenied" });
      expect(String(denied)).toMatch(new RegExp(`^AccessDenied: ${message} \\(https:[^ ]*#accessdenied\\)$`));
    },
  );

  it.each([
    ["/waiting-list", "/waiting-list", "instead of continuing it"],
    ["https://elsewhere.example/x", "/", "to a URL that is not allowed"],
  ])(
    "spec 5.11 callbacks.signIn that returns %j ends the sign-in with one line in the log",
    async (answer, path, why) => {
      const c = setUp({ config: { callbacks: { signIn: () => answer } } });
      expect((await attempt(c)).redirectsTo).toBe(`${ORIGIN}${path}`);
      expect(c.logs.map(({ level, text }) => [level, text])).toEqual([
        [
          "warn",
          expect.stringMatching(`^sign-in-redirected: callbacks.signIn redirected a sign-in ${why}.*"provider":"op"`),
        ],
      ]);
    },
  );
});
