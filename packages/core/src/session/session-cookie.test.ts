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
import { createAuth } from "../server/create-auth.ts";

/** What middleware was told that knows neither a provider nor an adapter. */
const SPLIT = { providers: [], secret: SECRET, trustHost: true, logger: { error: () => undefined } } as const;

/** Reads the session as middleware does; what it would set as cookies. */
async function look(app: Pick<Case, "browser">, config: Parameters<typeof createAuth>[0] = SPLIT) {
  const headers = new Headers();
  const request = new Request(`${ORIGIN}/members`, { headers: { cookie: cookieHeader(app.browser) } });
  const session = await createAuth(config).auth(request, headers);
  return { session, set: headers.getSetCookie() };
}

const cleared = [expect.stringMatching(/^__Host-cardea\.session-token=; Max-Age=0/)];

describe("clearInvalidSession()", () => {
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

  it("clears a session of its own kind that is over, and tokens of its kind that do not open", async () => {
    const clock = installClock();
    const app = setUp({ config: { session: { maxAge: 600 } } });
    await app.signIn();
    const header = cookieHeader(app.browser);
    clock.advance({ seconds: 660 });
    const read = async (cookie: string) => {
      const headers = new Headers();
      await createAuth(SPLIT).auth(new Request(ORIGIN, { headers: { cookie } }), headers);
      return headers.getSetCookie();
    };
    expect(await read(header)).toEqual(cleared);
    expect(await read(`${COOKIE.session}=eyJhbGciOiJkaXIifQ..a.b.c`)).toEqual(cleared);
    expect(await read(`${COOKIE.session}.1=half-a-row`)).toHaveLength(1);
  });

  it("clears a database session that is over where the database is known", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    await app.memory.adapter.deleteSession?.(app.memory.snapshot().sessions[0]?.sessionToken ?? "");
    expect(await look(app, app.config)).toEqual({ session: null, set: cleared });
  });

  it("clears whatever is no session when the session action is asked (contract 3)", async () => {
    for (const app of [setUp(), setUpDatabase()]) {
      for (const value of ["nonsense", "eyJhbGciOiJkaXIifQ..a.b.c"]) {
        app.browser.cookies.set(`${COOKIE.session}=${value}; Secure; Path=/; HttpOnly`);
        expect((await app.browser.fetch(`${BASE}/session`)).headers.getSetCookie()).toEqual(cleared);
      }
    }
  });

  it("says at debug, and never louder, that it left a cookie alone", async () => {
    const said: string[] = [];
    const app = setUpDatabase();
    await app.signInWithOp();
    const logger = {
      error: () => void said.push("error"),
      warn: () => void said.push("warn"),
      debug: (message: string) => void said.push(message),
    };
    await look(app, { ...SPLIT, logger });
    expect(said).toEqual(["ignored a session cookie of the other strategy"]);
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
