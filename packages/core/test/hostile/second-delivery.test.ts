/** A callback that is delivered twice: by a double redirect or click, by Reload and Back, by an attacker. */

import type { AuthConfig } from "@cardea/core/types";
import { type Browser, createBrowser, type StoredCookie } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type DatabaseCase, setUpDatabase } from "../harness/database-app.ts";
import { BASE, type Case, COOKIE, cookieHeader, installClock, ORIGIN, recordOf, setUp } from "../harness/harness.ts";
import {
  anotherBrowser,
  begin,
  calls,
  comeBack,
  expectAgain,
  expectLanding,
  expectNoSignIn,
  expectSignedIn,
} from "../harness/oauth-journeys.ts";

const ADA = { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true };
const STRATEGIES: readonly [string, () => Case | DatabaseCase][] = [
  ["in a cookie", () => setUp()],
  ["in a database", () => setUpDatabase()],
];
const signIns = (c: Case) => c.eventNames().filter((name) => name === "signIn").length;
const isPending = ({ name }: StoredCookie) => name.startsWith(`${COOKIE.state}.`);

/** A sign-in with its answer: the URL that the provider sent the browser to. */
async function signInOnce(c: Case): Promise<URL> {
  const { url } = await c.op.authorize(await begin(c), { user: ADA });
  await expectSignedIn(c, await c.browser.navigate(url));
  return url;
}

/** Plants what one browser has of its sign-ins in another. */
function toss(from: Browser, to: Browser): void {
  to.cookies.restore([...to.cookies.snapshot(), ...from.cookies.snapshot().filter(isPending)]);
}

describe("a callback that is delivered to two applications of one process at once", () => {
  it("is answered by each for itself, although they share secret and URL", async () => {
    const [one, other] = [setUp(), setUp({ config: { callbacks: { signIn: () => false } } })];
    const { url } = await one.op.authorize(await begin(one), { user: ADA });
    toss(one.browser, other.browser);
    await Promise.all([one.browser.navigate(url), other.browser.navigate(url)]);
    expect(await one.session()).toMatchObject({ user: { name: "Ada" } });
    expect(await other.session()).toBeNull();
  });
});

describe("a provider's callback that comes again after its answer", () => {
  it.each(STRATEGIES)("leads on in the browser that it signed in, with a session %s", async (_, start) => {
    const c = start();
    const url = await signInOnce(c);
    for (const tab of [c.browser, c.browser.tab()]) {
      const again = await tab.navigate(url);
      await expectSignedIn(c, again);
      expect([recordOf(again).headers.getSetCookie(), recordOf(again).events]).toEqual([[], []]);
    }
    expect([calls(c).token, signIns(c)]).toEqual([1, 1]);
  });

  it.each([
    [59, true],
    [74, true],
    [75, false],
  ])("leads on for a minute, whatever the browser keeps: after %i s %o", async (seconds, leads) => {
    const clock = installClock();
    const c = setUp();
    const url = await signInOnce(c);
    const headers = { cookie: cookieHeader(c.browser) };
    clock.advance({ seconds });
    const visit = await c.send(`${url.pathname}${url.search}`, { headers });
    if (leads) expect(visit.headers.get("location")).toBe(`${ORIGIN}/dash`);
    else expect(visit.headers.get("location")).toBe(`${ORIGIN}${BASE}/signin?error=OAuthCallbackError`);
    expect(calls(c).token).toBe(1);
  });

  it("leaves its cookie for a minute, in place of the pending one", async () => {
    const c = setUp();
    const { url } = await c.op.authorize(await begin(c));
    const [pending] = c.browser.cookies.list().filter(isPending);
    const lines = (await c.browser.navigate(url)).headers.getSetCookie();
    const left = lines.filter((line) => line.startsWith(`${COOKIE.state}.`));
    expect(left).toEqual([expect.stringMatching(/=eyJ[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/)]);
    expect(left[0]?.startsWith(`${pending?.name}=`)).toBe(true);
  });

  it("is refused in another browser, also with the cookie that the first one has", async () => {
    const c = setUp();
    const url = await signInOnce(c);
    const other = anotherBrowser(c);
    expectLanding(await other.navigate(url), "OAuthCallbackError");
    toss(c.browser, other);
    const visit = await other.navigate(url, { initiator: "https://evil.example" });
    expectLanding(visit, "OAuthCallbackError");
    expect([other.cookies.get(COOKIE.session), calls(c).token]).toEqual([undefined, 1]);
  });

  it("is refused where another user is signed in, whose session stays", async () => {
    const c = setUp();
    await c.signIn({ username: "victim" });
    const attacker = anotherBrowser(c);
    const { url } = await c.op.authorize(await begin(c, "/dash", attacker), { user: ADA });
    expect((await attacker.navigate(url)).redirectsTo).toBe(`${ORIGIN}/dash`);
    toss(attacker, c.browser);
    expectLanding(await c.browser.navigate(url), "OAuthCallbackError");
    expect(await c.session()).toMatchObject({ user: { name: "victim" } });
  });

  it.each(STRATEGIES)("is refused after sign-out, and after another sign-in, with a session %s", async (_, start) => {
    const c = start();
    const url = await signInOnce(c);
    const kept = c.browser.cookies.snapshot().filter(isPending);
    await c.post(`${BASE}/signout`);
    expectLanding(await c.browser.navigate(url), "OAuthCallbackError");
    await expectSignedIn(c, await comeBack(c, await begin(c), { user: ADA }));
    c.browser.cookies.restore([...c.browser.cookies.snapshot(), ...kept]);
    expectLanding(await c.browser.navigate(url), "OAuthCallbackError");
    expect(await c.session()).toMatchObject({ user: { name: "Ada" } });
  });

  it("is refused when the session was ended elsewhere", async () => {
    const c = setUpDatabase();
    const url = await signInOnce(c);
    for (const { sessionToken } of c.memory.snapshot().sessions) await c.memory.adapter.deleteSession?.(sessionToken);
    expectLanding(await c.browser.navigate(url), "OAuthCallbackError");
  });

  it("leads to the page that the first one led to without a session", async () => {
    const callbacks: AuthConfig["callbacks"] = { signIn: () => "/waitlist" };
    const c = setUp({ config: { callbacks } });
    const { url } = await c.op.authorize(await begin(c));
    for (const _ of ["first", "again"]) expect((await c.browser.navigate(url)).redirectsTo).toBe(`${ORIGIN}/waitlist`);
    expect([calls(c).token, await c.session()]).toEqual([1, null]);
  });

  it("leads on as a form, which browsers send without the session", async () => {
    const c = setUp({ provider: { authorization: { params: { response_mode: "form_post" } } } });
    const { url, form } = await c.op.authorize(await begin(c), { user: ADA });
    const send = () => c.browser.navigate(url, { form, initiator: c.op.issuer });
    for (const visit of [await send(), await send()]) await expectSignedIn(c, visit);
    expect([calls(c).token, signIns(c)]).toEqual([1, 1]);
    expectLanding(await anotherBrowser(c).navigate(url, { form, initiator: c.op.issuer }), "OAuthCallbackError");
  });

  it("is not led on for a prefetch, which decides nothing", async () => {
    const c = setUp();
    const url = await signInOnce(c);
    expect((await c.browser.navigate(url, { headers: { "Sec-Purpose": "prefetch" } })).status).toBe(425);
    await expectSignedIn(c, await c.browser.navigate(url));
  });
});

describe("a provider's callback that comes again before its answer", () => {
  it.each(STRATEGIES)("gets the same answer, with its cookies, and one session %s", async (_, start) => {
    const c = start();
    c.op.script = { token: { delayMs: 20 } };
    const { url } = await c.op.authorize(await begin(c), { user: ADA });
    const visits = await Promise.all([0, 1, 2].map(() => c.browser.tab().navigate(url)));
    for (const visit of visits) await expectSignedIn(c, visit);
    const cookies = visits.map((visit) => recordOf(visit).headers.getSetCookie().join("\n"));
    expect([new Set(cookies).size, cookies[0]?.includes(COOKIE.session)]).toEqual([1, true]);
    expect([calls(c).token, signIns(c)]).toEqual([1, 1]);
    if ("memory" in c) expect(c.memory.snapshot().sessions).toHaveLength(1);
  });

  it("gets the same refusal", async () => {
    const c = setUp({ config: { callbacks: { signIn: () => false } } });
    c.op.script = { token: { delayMs: 20 } };
    const { url } = await c.op.authorize(await begin(c));
    const visits = await Promise.all([0, 1].map(() => c.browser.tab().navigate(url)));
    for (const visit of visits) expectLanding(visit, "AccessDenied", "error");
    expect([calls(c).token, await c.session()]).toEqual([1, null]);
  });

  it("is refused without the pending cookie: the URL alone gives nothing of the answer", async () => {
    const c = setUp();
    c.op.script = { token: { delayMs: 20 } };
    const { url } = await c.op.authorize(await begin(c));
    const thief = anotherBrowser(c);
    const forger = anotherBrowser(c);
    const [pending] = c.browser.cookies.list().filter(isPending);
    forger.cookies.set(`${pending?.name}=${pending?.value.slice(0, -4)}AAAA; Path=/; Secure; HttpOnly`);
    const [first, ...others] = await Promise.all([c.browser, thief, forger].map((browser) => browser.navigate(url)));
    if (first !== undefined) await expectSignedIn(c, first);
    for (const visit of others) expectLanding(visit, "OAuthCallbackError");
    for (const { cookies } of [thief, forger]) expect(cookies.get(COOKIE.session)).toBe(undefined);
  });

  it("is another one in another session, which gets nothing of the answer", async () => {
    const c = setUp();
    c.op.script = { token: { delayMs: 20 } };
    const sent = await begin(c);
    const { url } = await c.op.authorize(sent, { user: ADA });
    const tab = anotherBrowser(c);
    tab.cookies.restore(c.browser.cookies.snapshot());
    await c.signIn({ username: "victim" });
    const [first, other] = await Promise.all([tab.navigate(url), c.browser.navigate(url)]);
    expect(first?.redirectsTo).toBe(`${ORIGIN}/dash`);
    if (other !== undefined) expectAgain(c, other, sent);
    expect(await c.session()).toMatchObject({ user: { name: "victim" } });
  });

  it("is another one with another code, which is not sent", async () => {
    const c = setUp();
    c.op.script = { token: { delayMs: 20 } };
    const sent = await begin(c);
    const { url } = await c.op.authorize(sent, { user: ADA });
    const injected = new URL(url);
    injected.searchParams.set("code", "injected");
    const [first, other] = await Promise.all([url, injected].map((one) => c.browser.tab().navigate(one)));
    expect(first?.redirectsTo).toBe(`${ORIGIN}/dash`);
    if (other !== undefined) expectAgain(c, other, sent);
    expect([calls(c).token, c.op.calls.token[0]?.params.get("code")]).toEqual([1, url.searchParams.get("code")]);
  });
});

describe("a code that the provider rejects as used, as after another process used it", () => {
  const rewrite = async (answer: Response) => Response.json(await answer.json(), { status: answer.status });

  it.each([
    ["as the provider sent it", () => undefined],
    ["as `conform` returns it", rewrite],
  ])("starts the sign-in again once, and the log says so in one line: %s", async (_, conform) => {
    const c = setUp({ provider: { token: { conform } } });
    const facts = { error: "invalid_grant", error_description: "used" };
    c.op.script = { token: { status: 400, body: facts } };
    const sent = await begin(c);
    const again = expectAgain(c, await comeBack(c, sent), sent);
    const lines = c.logs.filter(({ text }) => text.includes("rejected-code"));
    expect(lines.map(({ level }) => level)).toEqual(["warn"]);
    await expectNoSignIn(c, await comeBack(c, again));
    const [logged] = c.logs.filter(({ level }) => level === "error").flatMap(({ values }) => values);
    const endpoint = `${c.op.issuer}/token`;
    const { error, error_description: description } = facts;
    expect(logged).toMatchObject({ cause: { error, description, status: 400, endpoint } });
  });
});

describe("a provider's callback whose answer never arrived", () => {
  /** The browser has what it had before the answer. */
  async function lose(c: Case, url: URL) {
    const before = c.browser.cookies.snapshot();
    const visit = await c.browser.navigate(url);
    c.browser.cookies.restore(before);
    return visit;
  }

  it("starts the same sign-in again: its destination, its parameters, new secrets", async () => {
    const c = setUp();
    const page = await c.browser.navigate(`${BASE}/signin/op?callbackUrl=%2Fdash&prompt=login`);
    const { redirectsTo } = await c.browser.submit(page, { action: `${BASE}/signin/op?prompt=login` });
    const sent = new URL(redirectsTo ?? "about:blank");
    const { url } = await c.op.authorize(sent, { user: ADA });
    await lose(c, url);
    const again = expectAgain(c, await c.browser.navigate(url), sent);
    expect([sent, again].map(({ searchParams }) => searchParams.get("prompt"))).toEqual(["login", "login"]);
    await expectSignedIn(c, await comeBack(c, again, { user: ADA }));
    expect(calls(c).token).toBe(2);
  });

  it("starts again once: neither a second time, nor what was started again", async () => {
    const c = setUp();
    const sent = await begin(c);
    const { url } = await c.op.authorize(sent);
    await lose(c, url);
    const again = expectAgain(c, await lose(c, url), sent);
    await expectNoSignIn(c, await c.browser.navigate(url));
    const next = setUp();
    const nextSent = await begin(next);
    const first = await next.op.authorize(nextSent);
    await lose(next, first.url);
    const second = await next.op.authorize(expectAgain(next, await next.browser.navigate(first.url), nextSent));
    await lose(next, second.url);
    await expectNoSignIn(next, await next.browser.navigate(second.url));
    expect(again.searchParams.get("state")).not.toBe(null);
  });

  it("gives a copy of the cookies no session, and nothing to add to the session of another user", async () => {
    const c = setUpDatabase();
    await comeBack(c, await begin(c), { user: { ...ADA, sub: "victim", email: "victim@example.com" } });
    const attacker = anotherBrowser(c);
    const sent = await begin(c, "/dash", attacker);
    const { url } = await c.op.authorize(sent, { user: ADA });
    const copied = attacker.cookies.snapshot().filter(isPending);
    await attacker.navigate(url);
    c.browser.cookies.restore([...c.browser.cookies.snapshot(), ...copied]);
    const visit = await c.browser.navigate(url, { initiator: "https://evil.example" });
    const again = expectAgain(c, visit, sent);
    expect(recordOf(visit).events).toEqual([]);
    // An account that no one has is the test: it is never added to the session, which did not start the sign-in.
    await comeBack(c, again, { user: { sub: "new", name: "New" } });
    const accounts = c.memory.snapshot().accounts.map(({ userId }) => userId);
    expect(new Set(accounts).size).toBe(3);
  });

  it("shows a refusal of the provider again", async () => {
    const c = setUp();
    const { url } = await c.op.authorize(await begin(c), { error: { error: "access_denied" } });
    for (const visit of [await lose(c, url), await c.browser.navigate(url)])
      expectLanding(visit, "AccessDenied", "error");
  });

  it("is refused if the pending sign-in does not say what it asked for, as those of former versions", async () => {
    const c = setUp();
    const action = `${BASE}/signin/op?scope=${"a".repeat(600)}`;
    const { redirectsTo } = await c.browser.submit(await c.browser.navigate(action), { action });
    const { url } = await c.op.authorize(new URL(redirectsTo ?? "about:blank"));
    await lose(c, url);
    await expectNoSignIn(c, await c.browser.navigate(url));
  });
});

describe("a mailed link that is opened again", () => {
  const elsewhere = (app: DatabaseCase) => createBrowser(app.visit, { origin: ORIGIN });
  const isSignedIn = (browser: Browser) => browser.cookies.get(COOKIE.session) !== undefined;

  it("leads on in the browser that it signed in, and asks no one else", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    for (const _ of ["first", "again"]) expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
    expect([app.memory.snapshot().sessions.length, signIns(app)]).toEqual([1, 1]);
    const other = elsewhere(app);
    toss(app.browser, other);
    const visit = await other.submit(await other.navigate(app.mails[0] ?? ""));
    expect([visit.redirectsTo?.includes("error=Verification"), isSignedIn(other)]).toEqual([true, false]);
  });

  it("leads on where the button signed in: the link, the page that is still open, and a double click", async () => {
    const signIn = () => new Promise<boolean>((resolve) => setTimeout(resolve, 20, true));
    const app = setUpDatabase({ config: { callbacks: { signIn } } });
    await app.ask("bob@example.com");
    const phone = elsewhere(app);
    const page = await phone.navigate(app.mails[0] ?? "");
    const clicks = await Promise.all([0, 1].map(() => phone.tab().submit(page)));
    expect(clicks.map(({ redirectsTo }) => redirectsTo)).toEqual([`${ORIGIN}/`, `${ORIGIN}/`]);
    expect([app.memory.snapshot().sessions.length, signIns(app)]).toEqual([1, 1]);
    expect((await phone.navigate(app.mails[0] ?? "")).redirectsTo).toBe(`${ORIGIN}/`);
    expect((await phone.submit(page)).redirectsTo).toBe(`${ORIGIN}/`);
  });

  it("is refused after sign-out, and a minute later", async () => {
    const clock = installClock();
    for (const end of ["sign-out", "a minute"]) {
      const app = setUpDatabase();
      await app.ask("bob@example.com");
      await app.open();
      if (end === "sign-out") await app.signOut();
      else clock.advance({ seconds: 61 });
      const page = await app.open();
      expect(page.status).toBe(200);
      const visit = await app.browser.submit(page, { action: `${BASE}/callback/email` });
      expect(visit.redirectsTo).toContain("error=Verification");
    }
  });
});
