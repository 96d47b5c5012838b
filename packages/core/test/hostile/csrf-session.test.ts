import { inspect } from "node:util";
import { createMemoryAdapter } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, type Case, COOKIE, cookieHeader, installClock, ORIGIN, recordOf, setUp } from "../harness/harness.ts";

const FORM = "application/x-www-form-urlencoded";
const STRATEGIES = [
  ["jwt", () => setUp()],
  ["database", () => setUpDatabase()],
] as const;

/** A token, the cookie that seals it, and the session under which it was made. */
interface Pair {
  readonly token: string;
  readonly cookie: string;
  readonly session: string;
}

const cookieOf = (c: Case, name: string) => c.browser.cookies.get(name)?.value ?? "";

async function pairOf(c: Case): Promise<Pair> {
  const token = await c.csrfToken();
  return { token, cookie: cookieOf(c, COOKIE.csrf), session: cookieOf(c, COOKIE.session) };
}

/** POST `signout` with the parts of any pairs. */
function signOut(
  c: Case,
  from: { readonly csrf: Pair; readonly session: string; readonly token?: string },
  more: Readonly<Record<string, string>> = {},
) {
  const session = from.session === "" ? "" : `; ${COOKIE.session}=${from.session}`;
  const cookie = `${COOKIE.csrf}=${from.csrf.cookie}${session}`;
  const headers = { cookie, "content-type": FORM, origin: ORIGIN, ...more };
  const body = `csrfToken=${from.token ?? from.csrf.token}`;
  return c.send(`${BASE}/signout`, { method: "POST", headers, body });
}

describe.each(STRATEGIES)("csrf pairs and sessions (%s)", (strategy, start) => {
  it("a pair counts under the session it was made under, and under no other", async () => {
    const c = start();
    const pairs = [await pairOf(c)];
    for (let n = 0; n < 3; n++) {
      await c.signInWithOp();
      pairs.push(await pairOf(c));
      c.browser.cookies.clear();
      if (n === 1) pairs.push(await pairOf(c));
    }
    const index = fc.nat({ max: pairs.length - 1 });
    await fc.assert(
      fc.asyncProperty(index, index, async (a, b) => {
        const [csrf, other] = [pairs[a], pairs[b]];
        if (csrf === undefined || other === undefined || other.session === "") return;
        const isOwn = csrf.session === other.session;
        if (isOwn) return;
        const answer = await signOut(c, { csrf, session: other.session });
        expect([
          answer.status,
          answer.headers.getSetCookie().filter((line) => line.startsWith(COOKIE.session)),
        ]).toEqual([403, []]);
      }),
      { numRuns: 40 },
    );
    const last = pairs.at(-1);
    if (last !== undefined) expect((await signOut(c, { csrf: last, session: last.session })).status).toBe(302);
  });

  it("a visitor's pair is worthless in a session, as an attacker could plant it", async () => {
    const c = start();
    const visitor = await pairOf(c);
    await c.signInWithOp();
    expect((await signOut(c, { csrf: visitor, session: cookieOf(c, COOKIE.session) })).status).toBe(403);
    expect(await c.session()).not.toBe(null);
  });

  it("a sign-in replaces the pair, also where the browser did not send it, and a sign-out clears it", async () => {
    const c = start();
    const cleared = new RegExp(`^${COOKIE.csrf}=; Max-Age=0; Path=/`);
    const lines = (answer: Response) => answer.headers.getSetCookie().filter((line) => line.startsWith(COOKIE.csrf));
    const page = await c.browser.navigate(`${BASE}/signin`);
    const started = await c.browser.submit(page, { action: `${BASE}/signin/op`, follow: "none" });
    const back = await c.browser.navigate(started.redirectsTo ?? "", { follow: "none" });
    const before = cookieOf(c, COOKIE.csrf);
    c.browser.cookies.delete(COOKIE.csrf);
    const signedIn = await c.browser.navigate(back.redirectsTo ?? "", { follow: "none" });
    expect(lines(signedIn)).toHaveLength(1);
    expect([await c.session(), cookieOf(c, COOKIE.csrf)]).not.toContain("");
    expect(cookieOf(c, COOKIE.csrf)).not.toBe(before);
    const tokens = await Promise.all(Array.from({ length: 5 }, () => c.csrfToken()));
    expect(new Set(tokens).size, "requests at the same moment get one token").toBe(1);
    const { token } = await pairOf(c);
    const out = await c.browser.navigate(`${BASE}/signout`, { form: { csrfToken: token } });
    expect(lines(out)).toEqual([expect.stringMatching(cleared)]);
    expect([await c.session(), cookieOf(c, COOKIE.csrf)]).toEqual([null, ""]);
    expect(await c.csrfToken()).not.toBe(token);
  });

  it("a renewal of the session leaves open forms usable", async () => {
    const clock = installClock();
    const c = start();
    await c.signInWithOp();
    const token = await c.csrfToken();
    clock.advance({ hours: 20 });
    const before = cookieOf(c, COOKIE.session);
    clock.advance({ hours: 3 });
    await c.session();
    clock.advance({ minutes: 59 });
    await c.session();
    expect(before).not.toBe("");
    const answer = await c.browser.navigate(`${BASE}/signout`, { form: { csrfToken: token } });
    expect(answer.status).toBe(302);
  });

  it("a stale sign-out is answered as any other when its session has ended by itself", async () => {
    const clock = installClock();
    const c = start();
    await c.signInWithOp();
    clock.advance({ days: 29, hours: 23 });
    const pair = { ...(await pairOf(c)) };
    clock.advance({ hours: 2 });
    for (const session of [pair.session, ""]) {
      const answer = await signOut(c, { csrf: pair, session });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, ORIGIN]);
      const script = await signOut(c, { csrf: pair, session }, { "x-auth-return-redirect": "1" });
      expect([script.status, await script.json()]).toEqual([200, { url: ORIGIN }]);
    }
    const wrong = await signOut(c, { csrf: pair, session: "", token: "0".repeat(64) });
    expect(wrong.status).toBe(403);
    // A script is shown no page.
    const from = { csrf: pair, session: "", token: "0".repeat(64) };
    const script = await signOut(c, from, { "x-auth-return-redirect": "1" });
    expect([script.status, await script.json()]).toEqual([
      200,
      { url: expect.stringMatching(/\/signin\?error=Signin/) },
    ]);
  });

  it("a pair made under a value that is no session is worthless beside a session, in either order", async () => {
    const c = start();
    await c.signInWithOp();
    const session = `${COOKIE.session}=${cookieOf(c, COOKIE.session)}`;
    const other = `${COOKIE.session}=garbage`;
    const made = await c.send(`${BASE}/csrf`, { headers: { cookie: other } });
    const pair = made.headers.getSetCookie()[0]?.split(";")[0];
    const { csrfToken } = JSON.parse(recordOf(made).body);
    for (const cookie of [`${other}; ${pair}; ${session}`, `${session}; ${pair}; ${other}`]) {
      const headers = { cookie, "content-type": "application/json", origin: ORIGIN };
      const body = JSON.stringify({ csrfToken, data: { name: "Mallory" } });
      for (const action of ["session", "signout"]) {
        const answer = await c.send(`${BASE}/${action}`, { method: "POST", headers, body });
        expect([action, answer.status]).toEqual([action, 403]);
      }
    }
    expect(await c.session()).not.toBeNull();
  });

  it("a pair of a session counts beside a value that is no session", async () => {
    const c = start();
    await c.signInWithOp();
    const { token, cookie, session } = await pairOf(c);
    const csrf = { token, cookie, session };
    const answer = await signOut(c, { csrf, session: `garbage; ${COOKIE.session}=${session}` });
    expect([answer.status, (await c.session()) === null]).toEqual([302, strategy === "database"]);
  });

  it("a second value of the csrf cookie hides no good one", async () => {
    const c = start();
    await c.signInWithOp();
    const { token, cookie, session } = await pairOf(c);
    const name = COOKIE.csrf;
    const headers = {
      cookie: `${name}=planted; ${name}=${cookie}; ${COOKIE.session}=${session}`,
      "content-type": FORM,
      origin: ORIGIN,
    };
    const answer = await c.send(`${BASE}/signout`, { method: "POST", headers, body: `csrfToken=${token}` });
    expect(answer.status).toBe(302);
  });
});

describe("the session that a pair is bound to, with a database", () => {
  it("is the cookie's, without a query, where one value was sent", async () => {
    const c = setUpDatabase();
    await c.signInWithOp();
    const before = c.memory.calls.length;
    const answer = await c.send(`${BASE}/csrf`, { headers: { cookie: cookieHeader(c.browser) } });
    expect([answer.status, c.memory.calls.slice(before)]).toEqual([200, []]);
  });

  it("is unknown in an outage where several were sent: nothing is done, and the cookies stay", async () => {
    const c = setUpDatabase({ mayFail: true });
    await c.signInWithOp();
    const token = await c.csrfToken();
    const headers = {
      cookie: `${COOKIE.session}=garbage; ${cookieHeader(c.browser)}`,
      "content-type": "application/json",
      origin: ORIGIN,
    };
    const body = JSON.stringify({ csrfToken: token });
    for (const [action, status] of [
      ["session", 503],
      ["signout", 302],
    ] as const) {
      c.memory.fail({ method: "getSessionAndUser", throws: new Error("the database is down") });
      const answer = await c.send(`${BASE}/${action}`, { method: "POST", headers, body });
      const cookies = answer.headers.getSetCookie().filter((line) => line.startsWith(COOKIE.session));
      expect([action, answer.status, cookies]).toEqual([action, status, []]);
    }
    expect(await c.session()).not.toBeNull();
  });
});

describe("an opaque origin", () => {
  it("is refused on https, unless the browser says that the page is ours", async () => {
    const c = setUp();
    const cookie = (await c.send(`${BASE}/csrf`)).headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const { csrfToken } = JSON.parse(recordOf(await c.send(`${BASE}/csrf`, { headers: { cookie } })).body);
    const send = (headers: Record<string, string>) =>
      c.send(`${BASE}/signout`, {
        method: "POST",
        headers: { cookie, "content-type": FORM, ...headers },
        body: `csrfToken=${csrfToken}`,
      });
    expect((await send({ origin: "null" })).status).toBe(403);
    expect((await send({ origin: "null", "sec-fetch-site": "none" })).status).toBe(403);
    expect((await send({ origin: "null", "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await send({ origin: "null", "sec-fetch-site": "same-origin" })).status).toBe(302);
  });

  it("falls to the token on plain http, where browsers say no more, with one warning", async () => {
    const origin = "http://intranet.example";
    const c = setUp({ origin });
    const cookie = (await c.send(`${BASE}/csrf`)).headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const { csrfToken } = JSON.parse(recordOf(await c.send(`${BASE}/csrf`, { headers: { cookie } })).body);
    for (const [token, status] of [
      [csrfToken, 302],
      [csrfToken, 302],
      ["0".repeat(64), 403],
    ]) {
      const headers = { cookie, "content-type": FORM, origin: "null" };
      const answer = await c.send(`${BASE}/signout`, { method: "POST", headers, body: `csrfToken=${token}` });
      expect(answer.status).toBe(status);
    }
    const told = c.logs.filter(({ text }) => text.includes("Referrer-Policy"));
    expect(told.map(({ level }) => level)).toEqual(["warn"]);
  });
});

it("a stale sign-out during an outage is answered as one, and its log contains no session token", async () => {
  const memory = createMemoryAdapter();
  const away = { now: false };
  const getSessionAndUser = async (token: string) => {
    if (away.now) throw new Error(`away: where "sessionToken" = '${token}'`);
    return memory.adapter.getSessionAndUser?.(token) ?? null;
  };
  const c = setUpDatabase({ memory, config: { adapter: { ...memory.adapter, getSessionAndUser } }, mayFail: true });
  const visitor = await pairOf(c);
  await c.signInWithOp();
  const session = cookieOf(c, COOKIE.session);
  away.now = true;
  const answer = await signOut(c, { csrf: visitor, session });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, `${ORIGIN}${BASE}/error?error=Configuration`]);
  const { logs } = recordOf(answer);
  expect(logs.map(({ level }) => level)).toContain("error");
  const written = inspect(logs, { depth: 12 });
  expect(written).toContain("[redacted]");
  expect(written).not.toContain(session);
});
