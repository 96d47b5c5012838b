import { Auth } from "@cardea/core";
import type { JWT } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import {
  BASE,
  type Case,
  COOKIE,
  cookieHeader,
  expectRefused,
  ORIGIN,
  PASSWORD,
  SECRET,
  setUp,
} from "../harness/harness.ts";

const FORM = "application/x-www-form-urlencoded";
const EVIL = "https://evil.example";
const CROSS_SITE = { origin: EVIL, "sec-fetch-site": "cross-site" };

/** A token and the cookie that goes with it, as an attacker gets them: from the application itself. */
async function attackersPair(c: Case): Promise<{ token: string; cookie: string }> {
  const answer = await c.send(`${BASE}/csrf`);
  const { csrfToken }: { csrfToken: string } = await answer.json();
  return { token: csrfToken, cookie: answer.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
}

function withoutCsrf(c: Case): string {
  return cookieHeader(c.browser)
    .split("; ")
    .filter((pair) => !pair.startsWith(COOKIE.csrf))
    .join("; ");
}

async function signedIn(): Promise<Case> {
  const c = setUp();
  await c.signIn();
  return c;
}

describe("csrf", () => {
  it("H001 refuses to sign out without a token", async () => {
    const c = await signedIn();
    const answer = await c.browser.navigate(`${BASE}/signout`, { form: {} });
    expect(answer.status).toBe(403);
    expectRefused(answer);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    expect(c.eventNames()).not.toContain("signOut");
  });

  it.each([
    ["of the same length", (token: string) => token.replace(/./g, (digit) => (digit === "a" ? "b" : "a"))],
    ["that differs in its last digit", (token: string) => token.slice(0, -1) + (token.endsWith("0") ? "1" : "0")],
    ["that is cut short", (token: string) => token.slice(0, -1)],
    ["that is longer", (token: string) => `${token}0`],
    ["that is empty", () => ""],
  ])("H002 refuses a token %s", async (_, forge) => {
    const c = await signedIn();
    const csrfToken = forge(await c.csrfToken());
    expectRefused(await c.browser.navigate(`${BASE}/signout`, { form: { csrfToken } }));
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });

  it("H003 refuses a cookie that was not made with the secret, and sets a fresh one", async () => {
    const c = await signedIn();
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from("abc"))).toString("hex");
    for (const forged of [`abc|${hash}`, `abc%7C${hash}`, "abc"]) {
      const headers = { cookie: `${withoutCsrf(c)}; ${COOKIE.csrf}=${forged}`, "content-type": FORM };
      const answer = await c.send(`${BASE}/signout`, { method: "POST", headers, body: "csrfToken=abc" });
      expectRefused(answer);
      expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining(`${COOKIE.csrf}=ey`)]);
    }
  });

  it.each([
    ["by Origin and Fetch Metadata", CROSS_SITE],
    ["by Origin alone", { origin: EVIL }],
    ["by Fetch Metadata alone", { "sec-fetch-site": "cross-site" }],
    ["from a sibling domain", { origin: "https://evil.app.example.com", "sec-fetch-site": "same-site" }],
    ["from a sibling domain that hides its origin", { "sec-fetch-site": "same-site" }],
    ["from another scheme", { origin: "http://app.example.com" }],
    ["from another port", { origin: `${ORIGIN}:8443` }],
    ["from a name that begins with ours", { origin: `${ORIGIN}.evil.example` }],
  ])("H005 refuses a planted pair, told %s", async (_, from) => {
    const c = await signedIn();
    const pair = await attackersPair(c);
    const headers = { ...from, cookie: `${withoutCsrf(c)}; ${pair.cookie}`, "content-type": FORM };
    const answer = await c.send(`${BASE}/signout`, { method: "POST", headers, body: `csrfToken=${pair.token}` });
    expect(answer.status).toBe(403);
    expectRefused(answer);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });

  it.each([
    [{ accept: "text/html,*/*" }, "text/html; charset=utf-8"],
    [{ accept: "application/json" }, "application/json"],
    [{ accept: "text/html", "x-auth-return-redirect": "1" }, "application/json"],
    [{}, "application/json"],
  ])("H005 answers in the form that the client reads, with 403: %j", async (accepts, type) => {
    const c = await signedIn();
    const { token, cookie } = await attackersPair(c);
    const headers = { ...CROSS_SITE, ...accepts, cookie: `${withoutCsrf(c)}; ${cookie}`, "content-type": FORM };
    const answer = await c.send(`${BASE}/signout`, { method: "POST", headers, body: `csrfToken=${token}` });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([403, type]);
    if (type === "application/json") expect(await answer.text()).toBe("null");
  });

  it("H005 a sibling domain cannot plant the cookie in a browser", async () => {
    const c = setUp();
    const { cookie } = await attackersPair(c);
    const line = `${cookie}; Domain=example.com; Path=/; Secure`;
    expect(c.browser.cookies.set(line, "https://evil.example.com/").ok).toBe(false);
  });

  it("H006 refuses to sign a victim in as the attacker", async () => {
    const c = setUp();
    const { token, cookie } = await attackersPair(c);
    const headers = { ...CROSS_SITE, cookie, "content-type": FORM };
    const body = `csrfToken=${token}&username=mallory&password=${PASSWORD}`;
    const answer = await c.send(`${BASE}/callback/credentials`, { method: "POST", headers, body });
    expectRefused(answer);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    "text/plain; x=application/json",
    "text/plain",
    "application/jsonx",
    "text/json",
    "application/json, text/plain",
  ])("H007 reads no body of type %s", async (type) => {
    const c = setUp();
    const body = JSON.stringify({ csrfToken: await c.csrfToken(), username: "ann", password: PASSWORD });
    const headers = { "content-type": type };
    const answer = await c.browser.fetch(`${BASE}/callback/credentials`, { method: "POST", headers, body });
    expect(answer.status).toBe(415);
    expectRefused(answer);
  });

  it("H007 reads JSON whatever the parameters and the case of its type", async () => {
    const c = setUp();
    const body = JSON.stringify({ csrfToken: await c.csrfToken(), username: "ann", password: PASSWORD });
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    const answer = await c.browser.fetch(`${BASE}/callback/credentials`, {
      method: "POST",
      headers,
      body,
      follow: "none",
    });
    expect(answer.redirectsTo).toBe(`${ORIGIN}/`);
  });

  it.each(["signin/op", "signout", "session", "callback/credentials"])(
    "H009 refuses an empty cross-site POST %s without a type",
    async (action) => {
      const c = await signedIn();
      const headers = { ...CROSS_SITE, cookie: cookieHeader(c.browser) };
      const answer = await c.send(`${BASE}/${action}`, { method: "POST", headers });
      expect(answer.status).toBe(403);
      expectRefused(answer);
      expect(c.op.calls.discovery).toEqual([]);
    },
  );

  it("H011 a GET neither signs out nor starts a sign-in", async () => {
    const c = await signedIn();
    const token = await c.csrfToken();
    for (const path of [
      "signout",
      `signout?csrfToken=${token}&callbackUrl=/x`,
      "signin/op",
      `signin/op?csrfToken=${token}`,
    ]) {
      const page = await c.browser.navigate(`${BASE}/${path}`);
      expect([page.status, page.headers.get("location")]).toEqual([200, null]);
    }
    const head = await c.browser.navigate(`${BASE}/signout`, { method: "HEAD" });
    expect([head.status, head.headers.getSetCookie()]).toEqual([200, []]);
    expect(c.browser.cookies.list().map(({ name }) => name)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/state|pkce|nonce/)]),
    );
    expect(c.op.calls.discovery).toEqual([]);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    expect(c.eventNames()).not.toContain("signOut");
  });

  it("H014 accepts a form that was made under an older secret", async () => {
    const old = setUp({ config: { secret: [`${SECRET} (old)`] } });
    const rotated = setUp({ config: { secret: [SECRET, `${SECRET} (old)`] } });
    const { token, cookie } = await attackersPair(old);
    const headers = { cookie, "content-type": FORM, origin: ORIGIN };
    const answer = await rotated.send(`${BASE}/signout`, { method: "POST", headers, body: `csrfToken=${token}` });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, ORIGIN]);
  });

  it.each(['["tok"]', '{"toString":"tok"}', "true", "1e999", "null", "{}", "0"])(
    "H016 refuses %s for a token",
    async (value) => {
      const c = await signedIn();
      const token = await c.csrfToken();
      const body = `{"csrfToken":${value.replace("tok", token)}}`;
      const headers = { "content-type": "application/json" };
      const answer = await c.browser.fetch(`${BASE}/signout`, { method: "POST", headers, body });
      expect(answer.status).toBe(400);
      expectRefused(answer);
    },
  );

  it.each([{}, { csrfToken: "0".repeat(64) }])("H017 refuses to update the session with %o", async (token) => {
    const seen: unknown[] = [];
    const jwt = ({ token: claims, session }: { token: JWT; session?: unknown }) => {
      if (session !== undefined) seen.push(session);
      return claims;
    };
    const c = setUp({ config: { callbacks: { jwt } } });
    await c.signIn();
    const body = JSON.stringify({ ...token, data: { user: { id: "admin" } } });
    const headers = { "content-type": "application/json" };
    const answer = await c.browser.fetch(`${BASE}/session`, { method: "POST", headers, body });
    expectRefused(answer);
    expect([answer.status, await answer.json(), seen]).toEqual([403, null, []]);
  });

  it.each(["session", "csrf", "providers", "signin"])("H019 lets no other origin read %s", async (action) => {
    const c = await signedIn();
    const answer = await c.browser.fetch(`${ORIGIN}${BASE}/${action}`, { headers: { origin: EVIL } });
    expect(answer.status).toBe(200);
    const preflight = { origin: EVIL, "access-control-request-method": "POST" };
    const options = await c.send(`${BASE}/${action}`, { method: "OPTIONS", headers: preflight });
    expect([options.status, options.headers.getSetCookie()]).toEqual([405, []]);
    for (const { headers } of [answer, options]) {
      expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  it("H005 a token learned before a sign-in or a sign-out is worth nothing after it", async () => {
    const c = setUp();
    const tokens = [await c.csrfToken()];
    await c.signIn();
    tokens.push(await c.csrfToken());
    await c.signInWithOp();
    tokens.push(await c.csrfToken());
    await c.post(`${BASE}/signout`);
    tokens.push(await c.csrfToken());
    expect(new Set(tokens).size).toBe(4);
    await c.signIn();
    for (const csrfToken of tokens) {
      expectRefused(await c.browser.navigate(`${BASE}/signout`, { form: { csrfToken } }));
    }
  });

  it("accepts the token of our own page, so that the refusals above mean something", async () => {
    const c = await signedIn();
    expect((await c.post(`${BASE}/signout`)).redirectsTo).toBe(`${ORIGIN}/`);
    expect(await c.session()).toBe(null);
    expect(c.eventNames()).toContain("signOut");
    const unwatched = await Auth(new Request(`${ORIGIN}${BASE}/session`), c.config);
    expect(await unwatched.json()).toBe(null);
  });
});
