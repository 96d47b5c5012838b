/** What fails around a sign-in and a session, once; then the fault is taken away and the person tries again (safety section 3). */
import platform from "node:crypto";
import { encode } from "@cardea/core/jwt";
import type { Callbacks, Session } from "@cardea/core/types";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import { APPLICATION_TIMEOUT_MS } from "../harness/fixture.ts";
import { BASE, COOKIE, expectRefused, ORIGIN, recordOf, setUp } from "../harness/harness.ts";
import { attempt, begin, comeBack, expectAgain, expectNoSignIn, expectSignedIn } from "../harness/oauth-journeys.ts";

const THROWN: readonly [string, unknown][] = [
  ["an error", new Error("canary of the application")],
  ["a frozen error", Object.freeze(new Error("canary of the application"))],
  ["a string", "canary of the application"],
  ["null", null],
  ["nothing", undefined],
];

/** Fails while it is armed, with what was thrown last. */
function createFuse() {
  let isArmed = true;
  let thrown: unknown;
  return {
    arm: (value: unknown) => {
      isArmed = true;
      thrown = value;
    },
    remove: () => {
      isArmed = false;
    },
    pass: <T>(value: T): T => {
      if (isArmed) throw thrown;
      return value;
    },
  };
}

/** The platform's cipher throws until it is restored; nothing of its message may be shown. */
const failToSeal = () =>
  vi.spyOn(platform, "createCipheriv").mockImplementation(() => {
    throw new Error("canary of the platform");
  });

describe("a sign-in that fails", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(THROWN)(
    "R06 R11 is AccessDenied when callbacks.signIn throws %s; the next one succeeds",
    async (_, thrown) => {
      const fuse = createFuse();
      const c = setUp({ config: { callbacks: { signIn: () => fuse.pass(true) } } });
      fuse.arm(thrown);
      await expectNoSignIn(c, await attempt(c), "AccessDenied");
      const visit = await c.signIn();
      expectRefused(visit);
      expect(visit.redirectsTo).toBe(`${ORIGIN}${BASE}/error?error=AccessDenied`);
      fuse.remove();
      await expectSignedIn(c, await attempt(c));
    },
  );

  it.each(THROWN)("R08 R11 issues nothing when callbacks.jwt throws %s; the next one succeeds", async (_, thrown) => {
    const fuse = createFuse();
    const c = setUp({ config: { callbacks: { jwt: ({ token }) => fuse.pass(token) } } });
    fuse.arm(thrown);
    await expectNoSignIn(c, await attempt(c), "Configuration");
    fuse.remove();
    await expectSignedIn(c, await attempt(c));
  });

  it.each(THROWN)("R09 R11 issues nothing when jwt.encode throws %s; the next one succeeds", async (_, thrown) => {
    const fuse = createFuse();
    const c = setUp({ config: { jwt: { encode: (params) => fuse.pass(encode(params)) } } });
    fuse.arm(thrown);
    await expectNoSignIn(c, await attempt(c), "Configuration");
    fuse.remove();
    await expectSignedIn(c, await attempt(c));
  });

  it("R09 issues nothing when the platform fails to seal; the next one succeeds", async () => {
    const c = setUp();
    const url = await begin(c);
    const failing = failToSeal();
    const visit = await comeBack(c, url);
    failing.mockRestore();
    await expectNoSignIn(c, visit, "Configuration");
    await expectSignedIn(c, await attempt(c));
  });

  it("R09 begins nothing when the platform fails to seal the pending sign-in", async () => {
    const c = setUp();
    const csrfToken = await c.csrfToken();
    const failing = failToSeal();
    const visit = await c.browser.navigate(`${BASE}/signin/op`, { form: { csrfToken } });
    failing.mockRestore();
    expectRefused(visit);
    await expectSignedIn(c, await attempt(c));
  });

  it("R19 settles when the client goes away in the middle, and the person can begin again", async () => {
    const c = setUp();
    c.op.script = { token: { delayMs: 20 } };
    const sent = await begin(c);
    const { url } = await c.op.authorize(sent);
    const cookie = c.browser.cookies
      .list()
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const client = new AbortController();
    const answered = c.visit(new Request(url, { headers: { cookie }, signal: client.signal }));
    client.abort();
    expect((await answered).status).toBe(302);
    // The answer never arrived, so the browser still has the cookies of a sign-in that is over: it begins again.
    const again = expectAgain(c, await c.browser.navigate(url), sent);
    await expectSignedIn(c, await comeBack(c, again));
  });

  it.each(["signIn", "session", "signOut"] as const)(
    "R54 does as if nothing was when events.%s fails",
    async (event) => {
      for (const [, thrown] of THROWN) {
        const c = setUp({ config: { events: { [event]: () => Promise.reject(thrown) } } });
        await expectSignedIn(c, await attempt(c));
        expect((await c.post(`${BASE}/signout`)).redirectsTo).toBe(`${ORIGIN}/`);
        expect(await c.session()).toBe(null);
        const errors = c.logs.filter(({ level }) => level === "error").map(({ values }) => Object(values[0]).type);
        expect(errors).toEqual(["EventError"]);
      }
    },
  );

  it("R54 waits three seconds for an event handler that never settles", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isCalled = false;
    const never = () => {
      isCalled = true;
      return new Promise<void>(() => {});
    };
    const c = setUp({ config: { events: { signIn: never } } });
    const url = await begin(c);
    const answering = comeBack(c, url);
    await vi.waitUntil(() => isCalled, { timeout: 20_000 });
    await vi.advanceTimersByTimeAsync(3_000);
    await expectSignedIn(c, await answering);
  });
});

describe("a session that cannot be read", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(["jwt", "session"] as const)(
    "R44 H327 answers 503 and keeps the cookie when callbacks.%s throws; the next read succeeds",
    async (name) => {
      const fuse = createFuse();
      fuse.remove();
      const all: Callbacks = {
        jwt: ({ token }) => fuse.pass(token),
        session: ({ session }) => fuse.pass(session),
      };
      const c = setUp({ config: { callbacks: { [name]: all[name] } }, mayFail: true });
      await c.signIn();
      for (const [, thrown] of THROWN) {
        fuse.arm(thrown);
        const visit = recordOf(await c.browser.fetch(`${BASE}/session`));
        expect([visit.status, visit.body, visit.headers.get("retry-after")]).toEqual([503, "null", "5"]);
        expect(visit.headers.getSetCookie()).toEqual([]);
        expect(visit.logs.map(({ level, values }) => [level, Object(values[0]).type])).toEqual([
          ["error", "SessionUnavailable"],
        ]);
        fuse.remove();
        expect(await c.session()).toMatchObject({ user: { name: "ann" } });
      }
    },
  );

  it.each(["jwt", "session"] as const)("R44 answers 503 when callbacks.%s never settles", async (name) => {
    let isStuck = false;
    const stick = <T>(value: T) => (isStuck ? new Promise<never>(() => {}) : value);
    const all: Callbacks = { jwt: ({ token }) => stick(token), session: ({ session }) => stick(session) };
    const c = setUp({ config: { callbacks: { [name]: all[name] } }, mayFail: true });
    await c.signIn();
    isStuck = true;
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const reading = c.browser.fetch(`${BASE}/session`);
    await vi.waitUntil(() => timers.count() === 1, { timeout: 20_000 });
    await vi.advanceTimersByTimeAsync(APPLICATION_TIMEOUT_MS);
    const visit = recordOf(await reading);
    expect([visit.status, visit.headers.getSetCookie()]).toEqual([503, []]);
    vi.useRealTimers();
    isStuck = false;
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });

  it.each([
    ["a bigint", () => 1n],
    ["a cycle", () => cycle()],
    ["a toJSON that throws", () => ({ toJSON: () => throwing() })],
    ["a getter that throws", () => Object.defineProperty({}, "x", { get: throwing, enumerable: true })],
    ["a proxy that throws", () => new Proxy({}, { ownKeys: throwing })],
  ])("R44 answers 503 to the configured log when callbacks.session returns %s", async (_, make) => {
    let isOdd = false;
    const session: Callbacks["session"] = ({ session: given }) =>
      assumeSession(isOdd ? { ...given, odd: make() } : given);
    const c = setUp({ config: { callbacks: { session } }, mayFail: true });
    await c.signIn();
    const csrfToken = await c.csrfToken();
    isOdd = true;
    const answers = [
      await c.browser.fetch(`${BASE}/session`),
      await c.browser.fetch(`${BASE}/session`, { method: "POST", body: new URLSearchParams({ csrfToken }) }),
    ];
    for (const answer of answers) {
      const { status, body, headers, logs } = recordOf(answer);
      expect([status, body, headers.get("retry-after")]).toEqual([503, "null", "5"]);
      expect(logs.map(({ level, values }) => [level, Object(values[0]).type])).toEqual([
        ["error", "SessionUnavailable"],
      ]);
      expect(logs[0]?.values[0]).toMatchObject({ cause: { callback: "session" } });
    }
    isOdd = false;
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });

  it("R63 takes what another version sealed for nothing, on every cookie, and never fails", async () => {
    const c = setUp();
    const url = await begin(c);
    const sealed = c.browser.cookies.list();
    const formats = [
      "v2.c2VhbGVk",
      "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..a.b.c",
      "eyJ2IjoyfQ",
      "x".repeat(8000),
      "%",
    ];
    for (const format of formats) {
      const cookie = [COOKIE.session, ...sealed.map(({ name }) => name)].map((name) => `${name}=${format}`).join("; ");
      const read = recordOf(await c.send(`${BASE}/session`, { headers: { cookie } }));
      expect([read.status, read.body]).toEqual([200, "null"]);
      expect((await c.send(`${BASE}/signin`, { headers: { cookie } })).status).toBe(200);
      const state = url.searchParams.get("state");
      const back = await c.send(`${BASE}/callback/op?code=x&state=${state}`, { headers: { cookie } });
      expectRefused(back);
    }
    await expectSignedIn(c, await comeBack(c, url));
  });
});

function throwing(): never {
  throw new Error("odd");
}

function cycle(): object {
  const members: Record<string, unknown> = {};
  return Object.assign(members, { members });
}

/** A cast: the callback returns what its type does not allow. */
const assumeSession = (session: object) => session as Session;
