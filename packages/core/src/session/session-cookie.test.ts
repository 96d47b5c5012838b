import { createAuth } from "@cardea/core";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../../test/harness/database-app.ts";
import {
  BASE,
  type Case,
  COOKIE,
  cookieHeader,
  installClock,
  ORIGIN,
  SECRET,
  setUp,
} from "../../test/harness/harness.ts";

/** What middleware was told that knows neither a provider nor an adapter. */
const SPLIT = { providers: [], secret: SECRET, trustHost: true, logger: { error: () => undefined } } as const;

/** Reads the session as middleware does; what it would set as cookies. */
async function look(app: Pick<Case, "browser">, config: Parameters<typeof createAuth>[0] = SPLIT) {
  const headers = new Headers();
  const request = new Request(`${ORIGIN}/members`, { headers: { cookie: cookieHeader(app.browser) } });
  const session = await createAuth(config).auth(request, headers);
  return { session, set: headers.getSetCookie() };
}

const cleared = ["token", "mark"].map((name) =>
  expect.stringMatching(new RegExp(`^__Host-cardea\\.session-${name}=; Max-Age=0`)),
);

describe("clearEndedSession()", () => {
  it("leaves the cookie of a database session to the application when middleware knows of tokens alone", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    expect(await look(app)).toEqual({ session: null, set: [] });
    expect(await app.session()).toMatchObject({ user: expect.anything() });
  });

  it("leaves a sealed token to the application when middleware knows of a database alone", async () => {
    const app = setUp();
    await app.signIn();
    const config = { ...SPLIT, adapter: createMemoryAdapter().adapter };
    expect(await look(app, config)).toEqual({ session: null, set: [] });
    expect(await app.session()).toMatchObject({ user: expect.anything() });
  });

  it("clears a session of its own that is over", async () => {
    const clock = installClock();
    const app = setUp({ config: { session: { maxAge: 600 } } });
    await app.signIn();
    const header = cookieHeader(app.browser);
    clock.advance({ seconds: 660 });
    const headers = new Headers();
    await createAuth(SPLIT).auth(new Request(ORIGIN, { headers: { cookie: header } }), headers);
    expect(headers.getSetCookie()).toEqual(cleared);
  });

  it("clears the cookie of an expired record, and leaves a token that no record has", async () => {
    const clock = installClock();
    const memory = createMemoryAdapter({ returnExpired: true });
    const app = setUpDatabase({ memory, config: { session: { maxAge: 600 } } });
    await app.signInWithOp();
    const cookie = cookieHeader(app.browser);
    clock.advance({ seconds: 660 });
    const read = async () => {
      const headers = new Headers();
      await createAuth(app.config).auth(new Request(`${ORIGIN}/members`, { headers: { cookie } }), headers);
      return headers.getSetCookie();
    };
    expect(await read()).toEqual(cleared);
    expect(app.memory.snapshot().sessions).toEqual([]);
    // Now no record has the token, which might be that of another application on this host.
    expect(await read()).toEqual([]);
  });

  it("two applications on one host sign no one out of each other, whatever reads the session", async () => {
    const foreign = setUp({ config: { secret: "another secret of more than thirty-two bytes" } });
    await foreign.signIn();
    const record = setUpDatabase();
    await record.signInWithOp();
    const values = [foreign, record].map((app) => app.browser.cookies.get(COOKIE.session)?.value ?? "");
    for (const app of [setUp(), setUpDatabase()]) {
      for (const value of ["nonsense", "eyJhbGciOiJkaXIifQ..a.b.c", ...values]) {
        const cookie = `${COOKIE.session}=${value}`;
        for (const path of ["session", "signin", "signout"]) {
          const answer = await app.send(`${BASE}/${path}`, { headers: { cookie } });
          expect(answer.headers.getSetCookie().filter((line) => line.includes("session-token"))).toEqual([]);
        }
        expect(await look({ browser: app.browser }, app.config)).toMatchObject({ set: [] });
      }
    }
  });

  it("never clears a valid session because of one that has ended, however both were sent", async () => {
    const clock = installClock();
    const short = setUp({ config: { session: { maxAge: 600 } } });
    await short.signIn();
    const app = setUp();
    await app.signIn();
    const [over, good] = [short, app].map(({ browser }) => browser.cookies.get(COOKIE.session)?.value ?? "");
    clock.advance({ seconds: 660 });
    const split = (value = "") => `${COOKIE.session}.0=${value.slice(0, 99)}; ${COOKIE.session}.1=${value.slice(99)}`;
    const whole = (value = "") => `${COOKIE.session}=${value}`;
    const kept = [`${whole(over)}; ${whole(good)}`, `${whole(over)}; ${split(good)}`, `${whole(good)}; ${split(over)}`];
    // Which of the chunks belong together is not tried: no session, and nothing is cleared.
    for (const cookie of [...kept, `${split(over)}; ${split(good)}`]) {
      const answer = await app.send(`${BASE}/session`, { headers: { cookie } });
      expect(await answer.json()).toEqual(kept.includes(cookie) ? expect.anything() : null);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const answer = await app.send(`${BASE}/session`, { headers: { cookie: `${whole("x")}; ${split(over)}` } });
    expect(answer.headers.getSetCookie().map((line) => line.split("=")[0])).toEqual([
      `${COOKIE.session}.0`,
      `${COOKIE.session}.1`,
    ]);
  });
});

describe("receivedSessionTokens()", () => {
  it.each(["user:7:4f", "50%", "%41", "a b;c,d", "a+b/c==", '"\\~', "a.b.c.d.e"])(
    "spec 8 generateSessionToken may make any printable ASCII characters: %j",
    async (token) => {
      const app = setUpDatabase({ config: { session: { generateSessionToken: () => token, updateAge: 0 } } });
      await app.signInWithOp();
      expect(app.memory.snapshot().sessions[0]?.sessionToken).toBe(token);
      expect(app.browser.cookies.get(COOKIE.session)?.value).toBe(encodeURIComponent(token));
      // The second time with the cookie that was renewed the first time.
      for (let n = 0; n < 2; n++) expect(await app.session()).toMatchObject({ user: expect.anything() });
      await app.signOut();
      expect(app.memory.snapshot().sessions).toEqual([]);
    },
  );

  it("finds a session whose token was stored without escapes", async () => {
    const app = setUpDatabase({ config: { session: { generateSessionToken: () => "user:7/4f==" } } });
    await app.signInWithOp();
    app.browser.cookies.set(`${COOKIE.session}=user:7/4f==; Secure; Path=/; HttpOnly`);
    expect(await app.session()).not.toBeNull();
  });

  it("keeps a token out of the log in whatever spelling", async () => {
    const token = "canary of the token: 4f";
    const app = setUpDatabase({ mayFail: true, config: { session: { generateSessionToken: () => token } } });
    await app.signInWithOp();
    app.memory.fail({ method: "getSessionAndUser", throws: new Error(`no row for '${token}'`) });
    expect((await app.browser.fetch(`${BASE}/session`)).status).toBe(503);
    expect(app.logs.filter(({ level }) => level === "error")).toHaveLength(1);
    expect(JSON.stringify(app.logs.map(({ values }) => values.map(String)))).not.toContain(token);
  });

  it.each([
    ["empty", ""],
    ["too long", "x".repeat(1025)],
    ["no string", 7],
  ] as const)("refuses a token that is %s, and leaves nothing behind", async (_name, token) => {
    const generateSessionToken = () => parseToken(token);
    const app = setUpDatabase({ mayFail: true, config: { session: { generateSessionToken } } });
    await app.signInWithOp();
    expect(app.memory.snapshot().sessions).toEqual([]);
    const errors = app.logs.filter(({ level }) => level === "error").map(({ values }) => String(values[0]));
    expect(errors.join()).toContain("session.generateSessionToken");
  });
});

describe("prepareSessionCookies()", () => {
  it("refuses a token that would be split within an escape, and says what to return", async () => {
    const jwt = { encode: () => "é".repeat(3000), decode: () => null };
    const app = setUp({ mayFail: true, config: { jwt } });
    await app.signIn();
    const errors = app.logs.filter(({ level }) => level === "error").map(({ values }) => String(values[0]));
    expect(errors.join()).toContain("Return base64url");
    expect(app.browser.cookies.get(`${COOKIE.session}.0`)).toBeUndefined();
  });
});

/** What an application without types may return. */
function parseToken(value: unknown): string {
  return value as string;
}
