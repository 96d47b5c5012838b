import { describe, expect, it } from "vitest";
import { BASE, type Case, installClock, ORIGIN, setUp } from "../../test/harness/harness.ts";
import {
  anotherBrowser,
  attempt,
  begin,
  CALLBACK,
  calls,
  comeBack,
  expectLanding,
  expectSignedIn,
  OAUTH2,
  pendingCookies,
  start,
} from "../../test/harness/oauth-journeys.ts";

/** The cookies of the browser as a request has them, whatever their age. */
const cookieHeader = (c: Case) =>
  c.browser.cookies
    .list()
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");

describe("storePendingSignIn()", () => {
  it("sets one sealed cookie for fifteen minutes, whatever is checked", async () => {
    for (const options of [{}, { op: { pkce: "required" }, provider: { checks: ["pkce"] } }, OAUTH2] as const) {
      const lines = (await start(setUp(options))).headers.getSetCookie();
      const pending = lines.filter((line) => /state|pkce|nonce/.test(line));
      expect(pending).toEqual([expect.stringMatching(/^__Host-cardea\.state\.[0-9a-z]+[\w-]{8}=eyJ/)]);
      expect(pending[0]).toMatch(/; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    }
  });

  it.each([
    ["state", 60, 60],
    ["pkceCodeVerifier", 60, 60],
    ["nonce", 60, 60],
    ["state", 9000, 900],
  ] as const)("with a maxAge of %s, %i, it lives for %i seconds, sealed as well", async (key, maxAge, seconds) => {
    const clock = installClock();
    const c = setUp({ config: { cookies: { [key]: { options: { maxAge } } } } });
    const url = await begin(c);
    const headers = { cookie: cookieHeader(c) };
    clock.advance({ seconds: seconds + 15 });
    const { searchParams } = (await c.op.authorize(url)).url;
    const visit = await c.send(`${BASE}/callback/op?${searchParams}`, { headers });
    expect(visit.headers.get("location")).toContain("error=OAuthCallbackError");
    expect(calls(c).token).toBe(0);
  });

  it("keeps five sign-ins at once, and as many as fit in 8 kB", async () => {
    const clock = installClock();
    const c = setUp();
    for (let n = 0; n < 7; n++) {
      await begin(c, `/${n}`);
      clock.advance({ seconds: 1 });
    }
    expect(pendingCookies(c)).toHaveLength(5);
    for (let n = 0; n < 5; n++) {
      await begin(c, `/${"long".repeat(300)}${n}`);
      clock.advance({ seconds: 1 });
    }
    const bytes = c.browser.cookies.list().filter(({ name }) => pendingCookies(c).includes(name));
    expect(bytes.reduce((sum, { name, value }) => sum + name.length + value.length, 0)).toBeLessThanOrEqual(8192);
    expect(pendingCookies(c).length).toBeGreaterThanOrEqual(2);
  });
});

describe("consumePendingSignIn()", () => {
  it.each([
    [899, true],
    [900, true],
    [914, true],
    [915, false],
    [916, false],
  ])("after %i seconds still takes a sign-in, whatever the browser kept: %o", async (seconds, isTaken) => {
    const clock = installClock();
    const c = setUp();
    const url = await begin(c);
    const headers = { cookie: cookieHeader(c) };
    clock.advance({ seconds });
    const { searchParams } = (await c.op.authorize(url)).url;
    const visit = await c.send(`${BASE}/callback/op?${searchParams}`, { headers });
    expect(visit.headers.get("location")).toBe(
      isTaken ? `${ORIGIN}/dash` : `${ORIGIN}${BASE}/signin?error=OAuthCallbackError`,
    );
  });

  it("takes it once for requests that come at the same time with the same cookies, and gives all one answer", async () => {
    const c = setUp();
    c.op.script = { token: { skip: ["code"], delayMs: 5 } };
    const { url } = await c.op.authorize(await begin(c));
    const headers = { cookie: cookieHeader(c) };
    const visits = await Promise.all(
      Array.from({ length: 5 }, () => c.send(`${BASE}/callback/op${url.search}`, { headers })),
    );
    const locations = visits.map((visit) => visit.headers.get("location"));
    expect(new Set(locations)).toEqual(new Set([`${ORIGIN}/dash`]));
    expect(new Set(visits.map((visit) => visit.headers.getSetCookie().join())).size).toBe(1);
    expect([calls(c).token, c.eventNames().filter((name) => name === "signIn").length]).toEqual([1, 1]);
  });

  it("opens nothing of another secret, and opens what the former secret sealed", async () => {
    const former = "the former canary secret of more than thirty-two bytes";
    const answers: (string | null)[] = [];
    for (const secret of [
      "another canary secret of more than thirty-two bytes",
      ["a new canary secret of thirty-two bytes", former],
    ]) {
      const before = setUp({ config: { secret: former } });
      const { searchParams } = (await before.op.authorize(await begin(before))).url;
      const after = setUp({ config: { secret } });
      const headers = { cookie: cookieHeader(before) };
      const visit = await after.send(`${BASE}/callback/op?${searchParams}`, { headers });
      // The code is unknown to the other case's provider: what counts is whether it was asked.
      const { origin, pathname } = new URL(visit.headers.get("location") ?? "");
      answers.push(`${origin}${pathname}`, String(calls(after).token));
    }
    expect(answers).toEqual([`${ORIGIN}${BASE}/signin`, "0", "https://op.example.com/authorize", "1"]);
  });

  it("clears the cookies of the sign-in that the answer names, and of no other", async () => {
    const c = setUp();
    await begin(c, "/first");
    const kept = pendingCookies(c);
    await attempt(c, { error: { error: "access_denied" } });
    expect(pendingCookies(c)).toEqual(kept);
  });

  it("is not confused by cookies of the same ending that another user made", async () => {
    const c = setUp();
    const url = await begin(c);
    const suffix = (pendingCookies(c)[0] ?? "").slice(-8);
    const value = c.browser.cookies.get(pendingCookies(c)[0] ?? "")?.value;
    const others = ["__Host-cardea.pkce.code_verifier", "__Host-cardea.nonce"];
    const decoys = others.map((name) => `${name}.zzzzzz${suffix}=${value}`);
    const { searchParams } = (await c.op.authorize(url)).url;
    const headers = { cookie: [cookieHeader(c), ...decoys].join("; ") };
    const visit = await c.send(`${CALLBACK.replace(ORIGIN, "")}?${searchParams}`, { headers });
    expect(visit.headers.get("location")).toBe(`${ORIGIN}/dash`);
  });

  it("belongs to one browser: the other one's answer is refused and its own sign-in goes on", async () => {
    const c = setUp();
    const other = anotherBrowser(c);
    const mine = await begin(c, "/mine");
    const theirs = await begin(c, "/theirs", other);
    expectLanding(await comeBack(c, theirs), "OAuthCallbackError");
    await expectSignedIn(c, await comeBack(c, mine), "/mine");
  });
});
