import { defineExtension } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { sessions } from "../src/index.ts";
import { copyOf, createTestApplication, EAGER, ORIGIN, post, replay, signIn, type TestServer } from "./application.ts";

const STRATEGIES = ["jwt", "database"] as const;

describe.each(STRATEGIES)("attacks, %s sessions", (strategy) => {
  /** Whose counter is raised: a user whose sessions are ended for the first time, or once more. */
  const RAISES = ["first", "again"] as const;

  /** A user who has signed in. Something happens at the moment at which their counter is raised. */
  async function prepare(call: (typeof RAISES)[number], meanwhile: (s: TestServer) => Promise<void>) {
    const app = createTestApplication({ strategy });
    const [a, b] = [app.server(), app.server()];
    if (call === "again") await a.sessions.endAll("ann");
    const browser = await signIn(a);
    const { store } = app.backing;
    const { swap } = store;
    store.swap = async (...args) => {
      store.swap = swap;
      await meanwhile(b);
      return swap(...args);
    };
    return { a, b, browser, isRaced: () => store.swap === swap };
  }

  describe.each(RAISES)("while the counter is raised (%s)", (call) => {
    it.each([
      ["signs out everywhere", (s: TestServer) => s.sessions.endAll("ann")],
      ["is blocked", (s: TestServer) => s.sessions.block("ann")],
    ] as const)("a session that ends the others does not live on where its user %s meanwhile", async (_, meanwhile) => {
      const { a, b, browser: thief, isRaced } = await prepare(call, meanwhile);
      expect((await post(thief, "sessions", { end: "others" })).status).toBe(200);
      expect(isRaced()).toBe(true);
      expect([await replay(a, copyOf(thief)), await replay(b, copyOf(thief))]).toEqual([null, null]);
    });

    it("server code does not spare a session that ended meanwhile", async () => {
      const { a, browser, isRaced } = await prepare(call, (s) => s.sessions.endAll("ann"));
      const headers = new Headers();
      const request = new Request(`${ORIGIN}/`, { headers: { cookie: copyOf(browser) } });
      await a.sessions.endAll("ann", { except: { request, headers } });
      expect(isRaced()).toBe(true);
      expect(headers.getSetCookie()).toEqual([]);
      expect(await replay(a, copyOf(browser))).toBeNull();
    });
  });

  it("a session that another server ended a moment ago changes nothing, though it is still read", async () => {
    const seen: unknown[] = [];
    const changer = defineExtension({
      id: "changer",
      actions: {
        "POST change": {
          csrf: "required",
          segment: "none",
          answers: "json",
          head: "skip",
          run: async (action) => {
            seen.push((await action.session())?.userId, await action.mayChange("/"));
            return { kind: "json", status: 200, body: null };
          },
        },
      },
    });
    const seldom = sessions({ revocation: { every: 60, stale: 120 } });
    const app = createTestApplication({ strategy, config: { extensions: [seldom, changer] } });
    const [a, b] = [app.server(), app.server()];
    const browser = await signIn(b);
    expect((await post(browser, "change")).status).toBe(200);
    expect(seen.splice(0)).toEqual(["ann", null]);
    await a.sessions.endAll("ann");
    expect(await replay(b, copyOf(browser))).toBe(strategy === "jwt" ? "ann" : null);
    expect((await post(browser, "change")).status).toBe(200);
    expect(seen).toEqual([undefined, expect.stringContaining("/auth/signin?")]);
  });

  it("server code does not revive a token that another server replaced a moment ago", async () => {
    const prover = defineExtension({
      id: "prover",
      actions: {
        "POST prove": {
          ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
          run: async (action, { now }) => {
            await action.session();
            await action.renewSession({ f: [["otp", now()]] });
            return { kind: "empty", status: 204 };
          },
        },
      },
    });
    const seldom = sessions({ revocation: { every: 60, stale: 120 } });
    const app = createTestApplication({ strategy, config: { extensions: [seldom, prover] } });
    const [a, b] = [app.server(), app.server()];
    const browser = await signIn(a);
    const stolen = copyOf(browser);
    expect(await replay(b, stolen)).toBe("ann");
    expect((await post(browser, "prove")).status).toBe(204);
    const headers = new Headers();
    const request = new Request(`${ORIGIN}/`, { headers: { cookie: stolen } });
    await b.sessions.endAll("ann", { except: { request, headers } });
    expect(headers.getSetCookie()).toEqual([]);
  });

  it("no one lists or ends the sessions of another user by an id", async () => {
    const a = createTestApplication({ strategy }).server();
    const [ann, bo] = [await signIn(a), await signIn(a, "bo")];
    const [id = ""] = (await a.sessions.list("ann")).map((one) => one.id);
    const listed = await bo.fetch("/auth/sessions", { headers: { accept: "application/json" } });
    expect(await listed.text()).not.toContain(id);
    for (const end of [id, "", "__proto__", "*"]) expect((await post(bo, "sessions", { end })).status).toBe(404);
    expect([await replay(a, copyOf(ann)), await replay(a, copyOf(bo))]).toEqual(["ann", "bo"]);
  });

  it("nothing is ended without the CSRF token", async () => {
    const a = createTestApplication({ strategy }).server();
    const [ann, other] = [await signIn(a), await signIn(a)];
    await ann.fetch("/auth/sessions", { method: "POST", body: new URLSearchParams({ end: "all", csrfToken: "x" }) });
    expect([await replay(a, copyOf(ann)), await replay(a, copyOf(other))]).toEqual(["ann", "ann"]);
  });

  it("off: nothing claims that sessions ended", async () => {
    const { server } = createTestApplication({ strategy, sessions: { revocation: { check: "off" } } });
    const a = server();
    const [browser, other] = [await signIn(a), await signIn(a)];
    const [id = ""] = (await a.sessions.list("ann")).map((one) => one.id);
    for (const end of [id, "others", "all"]) expect((await post(browser, "sessions", { end })).status).toBe(404);
    for (const call of [() => a.sessions.end(id), () => a.sessions.endAll("ann"), () => a.sessions.block("ann")])
      await expect(call()).rejects.toThrow(/revocation\.check/);
    expect(await replay(a, copyOf(other))).toBe("ann");
    const page = await browser.fetch("/auth/sessions", { headers: { accept: "text/html" } });
    expect(await page.text()).not.toContain("<form");
    const limit = { perUser: 2 };
    const start = () => createTestApplication({ sessions: { revocation: { check: "off" }, limit } }).server();
    expect(start).toThrow(/limit\.exceed/);
  });
});

describe("stored tokens", () => {
  it.each(["hashed", "plain"] as const)(
    "what the database holds is no token, now that they are stored %s",
    async (atRest) => {
      const app = createTestApplication({ strategy: "database", sessions: { atRest: "hashed" } });
      const a = app.server();
      const cookie = copyOf(await signIn(a));
      const stored = app.memory.snapshot().sessions[0]?.sessionToken ?? "";
      expect(stored).toMatch(/^h1:/);
      const token = /session-token=([^;]+)/.exec(cookie)?.[1] ?? "";
      const { createAuth } = await import("@cardea/core");
      const { sessions } = await import("../src/index.ts");
      const later = createAuth({
        secret: "a secret of more than thirty-two bytes for tests",
        trustHost: true,
        session: { strategy: "database" },
        adapter: app.memory.adapter,
        store: app.backing.store,
        providers: [],
        logger: { error: () => {}, warn: () => {}, debug: () => {} },
        extensions: [sessions({ atRest, revocation: EAGER })],
      });
      for (const forged of [stored, encodeURIComponent(stored)]) {
        const headers = { cookie: cookie.replace(token, () => forged) };
        const answer = await later.handlers.GET(new Request(`${ORIGIN}/auth/session`, { headers }));
        expect(await answer.json()).toBeNull();
      }
    },
  );
});
