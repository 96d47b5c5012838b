/** Each thing that can be away × each action: one outcome each (docs/session-control.md#outages). */
import { createClock } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { copyOf, createTestApplication, ORIGIN, post, replay, signIn, type TestServer } from "./application.ts";

const INCOMPLETE = { url: `${ORIGIN}/auth/error?error=SignOutIncomplete`, complete: false };

// Those of a store that hangs wait for the end of time limits, each for its own: together they take as long as the longest.
describe.each(["away", "hanging"] as const)("jwt sessions while the store is %s", { concurrent: true }, (state) => {
  const start = async (options: Parameters<typeof createTestApplication>[0] = {}) => {
    const app = createTestApplication({ ...options, sessions: { revocation: { every: 30 }, ...options.sessions } });
    const server = app.server();
    const browser = await signIn(server);
    app.backing.set(state);
    return { ...app, a: server, browser, cookie: copyOf(browser) };
  };

  it("a session that is known goes on, and is asked about nowhere", async ({ expect }) => {
    const { a, cookie, backing } = await start();
    const before = backing.calls.length;
    for (let n = 0; n < 20; n++) expect(await replay(a, cookie)).toBe("ann");
    expect(backing.calls.length).toBe(before);
  });

  it("signing in is refused, and signs no one in", async ({ expect }) => {
    const { a } = await start();
    const stranger = a.newBrowser();
    const answer = await post(stranger, "callback/password", { username: "bo", password: "right" });
    const { url } = await answer.json();
    expect(new URL(url).searchParams.get("error")).toBe("Configuration");
    expect(copyOf(stranger)).not.toContain("session-token");
  });

  it("signing out clears the cookie, is not said to be complete, ends here at once, and elsewhere once the store is back", async ({
    expect,
  }) => {
    const { a, browser, cookie, backing, server } = await start();
    const answer = await post(browser, "signout");
    expect(await answer.json()).toEqual(INCOMPLETE);
    expect(copyOf(browser)).not.toContain("session-token");
    expect(await replay(a, cookie)).toBeNull();
    backing.set("there");
    // Retried in the background: nothing else happens on this server.
    await expect.poll(async () => replay(server(), cookie), { timeout: 20_000 }).toBeNull();
  });

  // `it.for` passes the test's own `expect`: which test a poll of the shared one belongs to is not known while several run.
  it.for(["log", "each"] as const)(
    "signing out again, while the first is under way or later, is never said to be complete: %s",
    async (check, { expect }) => {
      const app = createTestApplication({ sessions: { revocation: { check } } });
      const { log: _log, ...plain } = app.backing.store;
      const a = app.server(check === "log" ? {} : { store: plain });
      const browser = await signIn(a);
      const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
      const headers = { cookie: copyOf(browser), origin: ORIGIN, "X-Auth-Return-Redirect": "1" };
      const signOut = async (): Promise<unknown> => {
        const body = new URLSearchParams({ csrfToken });
        return (await a.handler(new Request(`${ORIGIN}/auth/signout`, { method: "POST", headers, body }))).json();
      };
      app.backing.set(state);
      const asked = app.backing.calls.length;
      const first = signOut();
      await expect.poll(() => app.backing.calls.length).toBeGreaterThan(asked);
      expect(await Promise.all([first, signOut()])).toEqual([INCOMPLETE, INCOMPLETE]);
      expect(await signOut()).toEqual(INCOMPLETE);
      app.backing.set("there");
      expect(await signOut()).not.toMatchObject({ complete: false });
    },
  );

  it.for(["log", "each"] as const)("is retried once, however often it is asked for: %s", async (check, { expect }) => {
    const app = createTestApplication({ sessions: { revocation: { check, every: 1 } } });
    const { log, ...plain } = app.backing.store;
    if (log === undefined) throw new Error("The store of the tests has a log.");
    const written: string[] = [];
    const set: typeof plain.set = (key, value, o) => {
      written.push(key);
      return plain.set(key, value, o);
    };
    const append: typeof log.append = (name, text, o) => {
      written.push(...(JSON.parse(text) as unknown[]).map(String));
      return log.append(name, text, o);
    };
    const a = app.server({ store: check === "each" ? { ...plain, set } : { ...plain, log: { ...log, append } } });
    await signIn(a);
    app.backing.set(state);
    await Promise.all(Array.from({ length: 20 }, () => a.sessions.end("some-session").catch(() => undefined)));
    app.backing.set("there");
    written.length = 0;
    await expect.poll(() => written.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(written).toHaveLength(1);
  });

  it("signing out by a form ends at a page that says so", async ({ expect }) => {
    const { browser } = await start();
    const page = await browser.navigate("/auth/signout");
    expect(page.status).toBe(200);
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken });
    const answer = await browser.fetch("/auth/signout", { method: "POST", body, redirect: "manual" });
    expect(answer.headers.get("location") ?? "").toBe(INCOMPLETE.url);
    const shown = await browser.navigate(INCOMPLETE.url);
    expect([shown.status, await shown.text()]).toEqual([503, expect.stringContaining("sign")]);
  });

  it("end, endAll and block reject, and count here at once", async ({ expect }) => {
    const { a, cookie } = await start();
    const ends = [a.sessions.end("some-session"), a.sessions.endAll("ann")];
    await Promise.all(ends.map((end) => expect(end).rejects.toThrow()));
    expect(await replay(a, cookie)).toBeNull();
    await expect(a.sessions.block("ann")).rejects.toThrow();
  });

  it("an end of all that was refused is carried out later, also for a session that another process issued before that", async ({
    expect,
  }) => {
    const { a, backing, server } = await start({ sessions: { revocation: { every: 1 } } });
    await expect(a.sessions.endAll("ann")).rejects.toThrow();
    backing.set("there");
    const b = server();
    const between = copyOf(await signIn(b));
    await expect.poll(() => replay(b, between), { timeout: 20_000 }).toBeNull();
    expect(await replay(b, copyOf(await signIn(b))), "a session from after it stays").toBe("ann");
  });

  it("a process that begins meanwhile knows nothing: unavailable, and the cookie stays", async ({ expect }) => {
    const { server, cookie } = await start();
    const fresh = server();
    expect(await replay(fresh, cookie)).toBe(503);
    const answer = await fresh.handler(new Request(`${ORIGIN}/auth/session`, { headers: { cookie } }));
    expect([answer.headers.get("retry-after"), answer.headers.getSetCookie()]).toEqual(["5", []]);
  });

  it("asked at each read: unavailable, or as before where that was chosen", async ({ expect }) => {
    const each = await start({ sessions: { revocation: { check: "each" } } });
    expect(await replay(each.a, each.cookie)).toBe(503);
    const serving = await start({ sessions: { revocation: { check: "each", onStale: "serve" } } });
    expect(await replay(serving.a, serving.cookie)).toBe("ann");
  });

  // By itself, because the clock is everyone's.
  it.sequential("an end of all that was refused ends no session from after a later one that was not", async () => {
    const clock = createClock(Date.now());
    const installed = clock.install();
    const { a, backing, server } = await start({ sessions: { revocation: { every: 1 } } });
    try {
      const b = server();
      backing.set("there");
      for (const user of ["ann", "bo"]) await b.sessions.endAll(user);
      clock.advance({ minutes: 1 });
      const bo = copyOf(await signIn(b, "bo"));
      backing.set(state);
      await Promise.all(["ann", "bo"].map((user) => expect(a.sessions.endAll(user)).rejects.toThrow()));
      backing.set("there");
      await b.sessions.endAll("ann");
      const after = copyOf(await signIn(b));
      // The same retry ends both.
      await expect.poll(() => replay(b, bo), { timeout: 20_000 }).toBeNull();
      expect([await replay(a, after), await replay(b, after)]).toEqual(["ann", "ann"]);
    } finally {
      installed.restore();
    }
  });
});

describe("a block or its end that was refused", () => {
  /** The change is refused because the store fails between its read and its write; it is retried later. */
  async function refuse(app: ReturnType<typeof createTestApplication>, change: () => Promise<void>): Promise<void> {
    const { store } = app.backing;
    const { swap } = store;
    store.swap = async () => {
      app.backing.set("away");
      throw new Error("away");
    };
    await expect(change()).rejects.toThrow("away");
    store.swap = swap;
    app.backing.set("there");
  }

  const isAdmitted = async (server: TestServer, user: string) =>
    copyOf(await signIn(server, user)).includes("session-token");

  it.each(["block", "unblock"] as const)("does not undo what was confirmed after it: a refused %s", async (refused) => {
    const clock = createClock(Date.now());
    const installed = clock.install();
    try {
      const app = createTestApplication();
      const [a, b] = [app.server(), app.server()];
      const confirmed = refused === "block" ? "unblock" : "block";
      // Both users are in the state that is confirmed below.
      for (const user of ["ann", "bo"]) if (confirmed === "block") await a.sessions.block(user);
      clock.advance({ minutes: 1 });
      await refuse(app, () => a.sessions[refused]("ann"));
      await refuse(app, () => a.sessions[refused]("bo"));
      clock.advance({ seconds: 2 });
      await b.sessions[confirmed]("ann");
      // The same retry changes both.
      await expect.poll(() => isAdmitted(b, "bo"), { timeout: 20_000 }).toBe(refused === "unblock");
      expect([await isAdmitted(a, "ann"), await isAdmitted(b, "ann")]).toEqual(Array(2).fill(refused === "block"));
    } finally {
      installed.restore();
    }
  });
});

describe("an emptied store", () => {
  it.each(["jwt", "database"] as const)("revives no %s session, and signs no one out", async (strategy) => {
    const { backing, server } = createTestApplication({ strategy });
    const [a, b] = [server(), server()];
    const [ended, everywhere, bo] = [await signIn(a), await signIn(a), await signIn(a, "bo")];
    const cookies = [copyOf(ended), copyOf(everywhere)];
    await post(ended, "signout");
    await post(everywhere, "sessions", { end: "all" });
    const after = await signIn(b);
    for (const cookie of cookies) expect(await replay(b, cookie)).toBeNull();
    backing.empty();
    const c = server();
    expect([await replay(a, copyOf(bo)), await replay(b, copyOf(after))]).toEqual(["bo", "ann"]);
    for (const server of [a, b, c]) {
      for (const cookie of cookies) expect(await replay(server, cookie)).toBeNull();
    }
    // A sign-in right after is issued with the epoch that was remembered.
    backing.empty();
    expect(await replay(a, copyOf(await signIn(b)))).toBe("ann");
  });
});

describe("other failures", () => {
  it("a database that is away: reading is unavailable, and the cookie stays", async () => {
    const { memory, server } = createTestApplication({ strategy: "database" });
    const a = server();
    const cookie = copyOf(await signIn(a));
    memory.fail({ method: "getSessionAndUser", throws: new Error("away"), times: 2 });
    expect(await replay(a, cookie)).toBe(503);
  });

  it("a store whose counter is not a number lets no one in", async () => {
    const { backing, server } = createTestApplication();
    const a = server();
    const { store } = backing;
    const browser = a.newBrowser();
    const get = store.get;
    Object.assign(store, { get: async (key: string) => ((await get(key)) === null ? "text" : get(key)) });
    await post(browser, "callback/password", { username: "ann", password: "right" });
    expect(copyOf(browser)).not.toContain("session-token");
  });
});
