import { defineExtension, type RequestTools } from "@cardea/extend";
import { createClock } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { sessionEndsOf, sessions } from "../src/index.ts";
import { copyOf, createTestApplication, EAGER, ORIGIN, post, replay, signIn, type TestServer } from "./application.ts";

const STRATEGIES = ["jwt", "database"] as const;

/** Why the session of a cookie ended, as its browser is told. */
async function endOf(server: TestServer, cookie: string) {
  const { headers } = await server.handler(new Request(`${ORIGIN}/auth/session`, { headers: { cookie } }));
  const cleared = /session-token=;/.test(headers.get("set-cookie") ?? "");
  return { why: headers.get("x-auth-session-ended"), cleared };
}

async function whyOf(server: TestServer, cookie: string): Promise<string | null> {
  return (await endOf(server, cookie)).why;
}

describe.each(STRATEGIES)("limit, %s sessions", (strategy) => {
  it("ends the oldest session, whose owner is told why", async () => {
    const { server } = createTestApplication({ strategy, sessions: { limit: { perUser: 2 } } });
    const [a, b] = [server(), server()];
    const cookies = [];
    for (const at of [a, b, a, b]) cookies.push(copyOf(await signIn(at)));
    const bo = copyOf(await signIn(a, "bo"));
    const ended = { why: "limit", cleared: true };
    const kept = { why: null, cleared: false };
    expect(await Promise.all(cookies.map((cookie) => endOf(b, cookie)))).toEqual([ended, ended, kept, kept]);
    expect(await Promise.all([...cookies, bo].map((cookie) => replay(a, cookie)))).toEqual([
      null,
      null,
      "ann",
      "ann",
      "bo",
    ]);
  });

  it("of sign-ins at the same moment exactly as many stay as may, and the last of them is one", async () => {
    const { server } = createTestApplication({ strategy, sessions: { limit: { perUser: 1 } } });
    const servers = [server(), server(), server()];
    const browsers = await Promise.all(servers.map((one) => signIn(one).catch(() => one.newBrowser())));
    const alive = await Promise.all(browsers.map((browser) => replay(servers[0] ?? server(), copyOf(browser))));
    expect(alive.filter((name) => name === "ann")).toHaveLength(1);
  });

  it("lets no more in than chosen where many sign in at the same moment", async () => {
    const options = { strategy, sessions: { limit: { perUser: 3, exceed: "refuse" } } } as const;
    const application = createTestApplication(options);
    const servers = [application.server(), application.server()] as const;
    const browsers = Array.from({ length: 12 }, (_, n) => servers[n % 2 === 0 ? 0 : 1].newBrowser());
    const fields = { username: "ann", password: "right" };
    await Promise.all(browsers.map((browser) => post(browser, "callback/password", fields)));
    const cookies = browsers.map(copyOf).filter((cookie) => cookie.includes("session-token"));
    expect(cookies.length).toBeLessThanOrEqual(3);
    expect(await servers[0].sessions.list("ann")).toHaveLength(cookies.length);
    for (let n = cookies.length; n < 3; n++) await signIn(servers[0]);
    await expect(post(servers[1].newBrowser(), "callback/password", fields)).resolves.toMatchObject({ ok: true });
    expect(await servers[0].sessions.list("ann")).toHaveLength(3);
  });

  it("refuses a further session where that was chosen, until one has ended", async () => {
    const { server } = createTestApplication({ strategy, sessions: { limit: { perUser: 1, exceed: "refuse" } } });
    const a = server();
    const first = await signIn(a);
    const second = a.newBrowser();
    await post(second, "callback/password", { username: "ann", password: "right" });
    expect([await replay(a, copyOf(second)), await replay(a, copyOf(first))]).toEqual([null, "ann"]);
    await post(first, "signout");
    expect(await replay(a, copyOf(await signIn(a)))).toBe("ann");
  });

  it("lets a browser sign in again at the limit, because its own session ends", async () => {
    const { server } = createTestApplication({ strategy, sessions: { limit: { perUser: 1, exceed: "refuse" } } });
    const a = server();
    const browser = await signIn(a);
    const former = copyOf(browser);
    const fields = { username: "ann", password: "right" };
    await post(browser, "callback/password", fields);
    expect([await replay(a, copyOf(browser)), await replay(a, former)]).toEqual(["ann", null]);
    // A copy of a session that has ended replaces nothing.
    const copy = a.newBrowser();
    for (const pair of former.split("; ")) copy.cookies.set(`${pair}; Path=/; Secure; HttpOnly`);
    await post(copy, "callback/password", fields);
    expect([await replay(a, copyOf(copy)), await replay(a, copyOf(browser))]).toEqual([null, "ann"]);
  });
});

describe("check", () => {
  it.each(STRATEGIES)(
    "each: asks the store, and knows what processes that follow the log ended, %s",
    async (strategy) => {
      const app = createTestApplication({ strategy, sessions: { revocation: { check: "each" } } });
      const following = createTestApplication({
        strategy,
        config: { store: app.backing.store, adapter: app.memory.adapter },
      });
      const [each, log] = [app.server(), following.server()];
      const [one, two, three] = [await signIn(each), await signIn(log), await signIn(each)];
      const cookies = [one, two, three].map(copyOf);
      expect(await Promise.all(cookies.map((cookie) => replay(log, cookie)))).toEqual(["ann", "ann", "ann"]);
      await post(one, "signout");
      await post(two, "signout");
      for (const server of [each, log]) {
        expect(await Promise.all(cookies.map((cookie) => replay(server, cookie)))).toEqual([null, null, "ann"]);
      }
      await each.sessions.endAll("ann");
      for (const server of [each, log]) expect(await replay(server, cookies[2] ?? "")).toBeNull();
    },
  );

  it("each: needs no log", async () => {
    const { backing, memory } = createTestApplication();
    const { log: _, ...store } = backing.store;
    const { server } = createTestApplication({ sessions: { revocation: { check: "each" } }, config: { store } });
    const a = server();
    const browser = await signIn(a);
    const cookie = copyOf(browser);
    await post(browser, "signout");
    expect(await replay(server(), cookie)).toBeNull();
    expect(memory).toBeDefined();
  });

  it("off: lists, and asks the store at no read", async () => {
    const { server, backing } = createTestApplication({ sessions: { revocation: { check: "off" } } });
    const a = server();
    const cookie = copyOf(await signIn(a));
    const before = backing.calls.length;
    expect(await replay(a, cookie)).toBe("ann");
    expect(backing.calls.length).toBe(before);
    expect(await a.sessions.list("ann")).toHaveLength(1);
  });
});

describe("steady reads", () => {
  it("100,000 of them call the store never, but for the log that is followed meanwhile", async () => {
    const { server, backing } = createTestApplication({ sessions: { revocation: { every: "60s" } } });
    const a = server();
    const cookie = copyOf(await signIn(a));
    const request = { url: `${ORIGIN}/`, headers: new Headers({ cookie, host: "app.example.com" }) };
    await a.auth.auth(new Request(request.url, request));
    backing.calls.length = 0;
    const reads = process.env.CARDEA_TEST_LONG ? 100_000 : 5_000;
    for (let n = 0; n < reads; n++) {
      const session = await a.auth.auth(new Request(request.url, { headers: request.headers }));
      if (session === null) throw new Error("The session is gone.");
    }
    expect(backing.calls.filter((name) => name !== "since")).toEqual([]);
    expect(backing.calls.length).toBeLessThan(10);
  });
});

describe.each(STRATEGIES)("absolute, %s sessions", (strategy) => {
  it.each([
    [3599, "ann", null],
    [3600, null, "absolute"],
  ])("%i seconds after the sign-in: %j", async (seconds, name, why) => {
    const { server } = createTestApplication({ strategy, sessions: { absolute: "1h" } });
    const clock = createClock();
    const installed = clock.install();
    try {
      const a = server();
      const cookie = copyOf(await signIn(a));
      clock.advance({ seconds });
      expect([await whyOf(a, cookie), await replay(a, cookie)]).toEqual([why, name]);
    } finally {
      installed.restore();
    }
  });
});

describe("atRest", () => {
  it("hashed: no row holds the token, what is stored opens nothing, and rows from before count", async () => {
    const { memory, backing, server } = createTestApplication({ strategy: "database" });
    const before = copyOf(await signIn(server()));
    const hashed = createTestApplication({
      strategy: "database",
      sessions: { atRest: "hashed" },
      config: { adapter: memory.adapter, store: backing.store },
    }).server();
    const browser = await signIn(hashed, "bo");
    const token = browser.cookies.list().find(({ name }) => name.includes("session-token"))?.value ?? "";
    const rows = memory.snapshot().sessions.map(({ sessionToken }) => sessionToken);
    expect(rows.some((row) => row.startsWith("h1:"))).toBe(true);
    expect(rows).not.toContain(decodeURIComponent(token));
    expect([await replay(hashed, before), await replay(hashed, copyOf(browser))]).toEqual(["ann", "bo"]);
    for (const row of rows.filter((one) => one.startsWith("h1:"))) {
      const name = browser.cookies.list().find((cookie) => cookie.name.includes("session-token"))?.name;
      expect(await replay(hashed, `${name}=${encodeURIComponent(row)}`)).toBeNull();
      expect(await replay(hashed, `${name}=${row}`)).toBeNull();
    }
    const cookie = copyOf(browser);
    await post(browser, "signout");
    expect(await replay(hashed, cookie)).toBeNull();
  });
});

describe("sessions() at start", () => {
  it.each([
    [{ revocation: { every: "2 seconds" } }, "revocation.every"],
    [{ revocation: { every: "90s" } }, "revocation.stale"],
    [{ revocation: { every: 0 } }, "revocation.every"],
    [{ absolute: "30" }, "absolute"],
    [{ limit: { perUser: 0 } }, "limit.perUser"],
    [{ devices: { ip: "truncated" as const } }, "devices.hops"],
    [{ devices: { hops: 0.5 } }, "devices.hops"],
  ])("refuses %j, and names the option", (options, name) => {
    expect(() => sessions(options)).toThrow(`\`${name}\``);
  });
});

describe("sessionEndsOf(), for other extensions", () => {
  /** An application whose users come from an issuer, and a way to run something with the tools of another extension. */
  function withProvider(strategy: "jwt" | "database") {
    let tools: RequestTools | undefined;
    const origin = (name: string) => ({
      provider: "password",
      iss: "https://op.example.com",
      sub: name,
      sid: `at-op-${name}`,
    });
    const other = defineExtension({
      id: "other",
      needs: { extensions: ["sessions"] },
      admit: ({ user }) => ({ admit: true, facts: { idp: origin(String(user.name)) } }),
      attempt: (_attempt, t) => {
        tools = t;
        return { allow: true };
      },
    });
    const extensions = [other, sessions({ revocation: EAGER })];
    const app = createTestApplication({ strategy, config: { extensions } });
    const ends = () => {
      if (tools === undefined) throw new Error("No one has signed in yet.");
      return sessionEndsOf(tools);
    };
    return { ...app, ends };
  }

  it.each(STRATEGIES)("ends exactly the sessions of a provider's session, %s", async (strategy) => {
    const { server, ends } = withProvider(strategy);
    const [a, b] = [server(), server()];
    const [ann, bo] = [copyOf(await signIn(a)), copyOf(await signIn(a, "bo"))];
    await ends().endProviderSession({ iss: "https://other.example.com", sid: "at-op-ann" });
    await ends().endProviderSession({ iss: "https://op.example.com", sid: "at-op-ann", sub: "bo" });
    expect([await replay(b, ann), await replay(b, bo)]).toEqual(["ann", "bo"]);
    await ends().endProviderSession({ iss: "https://op.example.com", sid: "at-op-ann", sub: "ann" });
    expect([await replay(b, ann), await replay(b, bo), await replay(a, ann)]).toEqual([null, "bo", null]);
    // A logout token that overtakes its sign-in.
    await ends().endProviderSession({ iss: "https://op.example.com", sid: "at-op-bo" });
    const late = await signIn(a, "bo").then(copyOf);
    expect([await whyOf(a, late), await replay(b, late)]).toEqual(["provider", null]);
  });
});
