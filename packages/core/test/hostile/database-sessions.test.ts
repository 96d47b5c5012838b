/** Sessions in a database: fixation, rotation, expiry, outages (safety H240 to H253, R43 to R51). */

import { createAuth } from "@cardea/core";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, cookieHeader, installClock, ORIGIN } from "../harness/harness.ts";

const DAY = 24 * 60 * 60;

describe("session fixation and rotation", () => {
  it("H240 spec 5.4 database issues a token of its own, whatever token the browser carried", async () => {
    const app = setUpDatabase();
    app.browser.cookies.set(`${COOKIE.session}=attackers-choice; Secure; Path=/; HttpOnly`);
    await app.signInWithOp();
    const { sessions } = app.memory.snapshot();
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.sessionToken).not.toBe("attackers-choice");
    expect(app.browser.cookies.get(COOKIE.session)?.value).toBe(sessions[0]?.sessionToken);
  });

  it("H241 renews the token at each sign-in and ends the former session", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    const former = app.memory.snapshot().sessions[0]?.sessionToken;
    await app.signInWithOp();
    const { sessions } = app.memory.snapshot();
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.sessionToken).not.toBe(former);
  });

  it("H243 is dead after sign-out, twice or with an unknown token", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    const jar = app.browser.cookies.snapshot();
    await app.signOut();
    app.browser.cookies.restore(jar);
    expect(await app.session()).toBeNull();
    app.browser.cookies.restore(jar);
    expect((await app.signOut()).status).toBe(302);
    expect((await app.signOut()).status).toBe(302);
    expect(app.logs.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("H244 is no session when its user is gone", async () => {
    const memory = createMemoryAdapter();
    const app = setUpDatabase({ memory });
    await app.signInWithOp();
    const { sessions } = memory.snapshot();
    memory.fail({ method: "getSessionAndUser", returns: { session: sessions[0], user: null } });
    expect(await app.session()).toBeNull();
    expect(memory.snapshot().sessions).toEqual([]);
    expect(app.browser.cookies.get(COOKIE.session)).toBeUndefined();
  });

  it.each([
    [-1, true],
    [0, false],
    [1, false],
  ])("H245 counts until its expiry: %i s after it", async (seconds, counts) => {
    const clock = installClock();
    const app = setUpDatabase({
      memory: createMemoryAdapter({ returnExpired: true }),
      config: { session: { maxAge: 600, updateAge: 600 } },
    });
    await app.signInWithOp();
    const header = cookieHeader(app.browser);
    clock.advance({ seconds: 600 + seconds });
    const response = await app.send(`${BASE}/session`, { headers: { cookie: header } });
    expect((await response.json()) !== null).toBe(counts);
    expect(app.memory.snapshot().sessions).toHaveLength(counts ? 1 : 0);
  });

  it("H246 shows neither the token nor undeclared columns, even when the callback returns all it got", async () => {
    const memory = createMemoryAdapter();
    const app = setUpDatabase({ memory, config: { callbacks: { session: ({ session }) => session } } });
    await app.signInWithOp();
    const { sessions, users } = memory.snapshot();
    const stored = { session: sessions[0], user: { ...users[0], passwordHash: "canary-hash" } };
    memory.fail({ method: "getSessionAndUser", returns: stored });
    const session = await app.session();
    expect(session).toMatchObject({ user: { name: "Ada Lovelace" } });
    expect(JSON.stringify(session)).not.toContain("canary-hash");
    expect(JSON.stringify(session)).not.toContain(sessions[0]?.sessionToken);
  });

  it("H249 writes once a day however often it is read, and each time with updateAge 0", async () => {
    const clock = installClock();
    const writes = (app: ReturnType<typeof setUpDatabase>) =>
      app.memory.calls.filter(({ method }) => method === "updateSession").length;
    const daily = setUpDatabase();
    await daily.signInWithOp();
    for (let n = 0; n < 100; n++) {
      clock.advance({ seconds: DAY / 100 });
      await daily.session();
    }
    expect(writes(daily)).toBe(1);
    const always = setUpDatabase({ config: { session: { updateAge: 0 } } });
    await always.signInWithOp();
    for (let n = 0; n < 3; n++) await always.session();
    expect(writes(always)).toBe(3);
  });

  it("H251 makes tokens of 256 random bits", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    expect(app.memory.snapshot().sessions[0]?.sessionToken).toMatch(/^[0-9a-f]{64}$/);
  });

  it("spec 8 generateSessionToken uses the application's own", async () => {
    let made = 0;
    const app = setUpDatabase({
      config: { session: { generateSessionToken: () => `token-of-the-application-${++made}` } },
    });
    await app.signInWithOp();
    expect(app.memory.snapshot().sessions[0]?.sessionToken).toBe("token-of-the-application-1");
  });

  it("reads a session with one query and no cookie when nothing is due", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    const before = app.memory.calls.length;
    const response = await app.browser.fetch(`${BASE}/session`);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(app.memory.calls.slice(before).map(({ method }) => method)).toEqual(["getSessionAndUser"]);
  });
});

describe("caching", () => {
  it("H253 forbids caches to keep a session, its renewal, its update and the redirect that sets it", async () => {
    const app = setUpDatabase({ config: { session: { updateAge: 0 } } });
    await app.signInWithOp();
    const update = { method: "POST", headers: { "content-type": "application/json" } };
    const body = JSON.stringify({ csrfToken: await app.csrfToken(), data: {} });
    const answers = [
      await app.browser.fetch(`${BASE}/session`),
      await app.browser.fetch(`${BASE}/session`, { ...update, body }),
      await app.signOut(),
    ];
    for (const { headers } of answers) expect(headers.get("cache-control")).toBe("private, no-cache, no-store");
    for (const { headers } of answers) expect(headers.getSetCookie()).not.toEqual([]);
  });
});

describe("a failing database", () => {
  it("H323 R43 answers 503 and keeps the cookie when the session cannot be read; auth() rejects", async () => {
    const app = setUpDatabase({ mayFail: true });
    await app.signInWithOp();
    app.memory.fail({ method: "getSessionAndUser", throws: new Error("down"), times: 2 });
    const response = await app.browser.fetch(`${BASE}/session`);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(response.headers.getSetCookie()).toEqual([]);
    const request = new Request(`${ORIGIN}/`, { headers: { cookie: cookieHeader(app.browser) } });
    await expect(createAuth(app.config).auth(request)).rejects.toMatchObject({ type: "SessionUnavailable" });
    app.memory.heal();
    expect(await app.session()).not.toBeNull();
  });

  it("R43 serves the session as it was when it cannot be renewed", async () => {
    const clock = installClock();
    const app = setUpDatabase();
    await app.signInWithOp();
    const expires = app.memory.snapshot().sessions[0]?.expires;
    clock.advance({ days: 2 });
    app.memory.fail({ method: "updateSession", throws: new Error("down") });
    expect(await app.session()).toMatchObject({ expires: expires?.toISOString() });
  });

  it.each([
    ["another token", { sessionToken: "another-users" }],
    ["another user", { userId: "another-user" }],
  ])("R46 takes no session that names %s", async (_what, change) => {
    const app = setUpDatabase();
    await app.signInWithOp();
    const { sessions, users } = app.memory.snapshot();
    const wrong = { session: { ...sessions[0], ...change }, user: users[0] };
    app.memory.fail({ method: "getSessionAndUser", returns: wrong });
    expect(await app.session()).toBeNull();
    expect(app.logs.some(({ text }) => text.includes("#sessiontokenerror"))).toBe(true);
  });

  it("R48 is null when an expired row cannot be deleted", async () => {
    const clock = installClock();
    const app = setUpDatabase({ memory: createMemoryAdapter({ returnExpired: true }) });
    await app.signInWithOp();
    const header = cookieHeader(app.browser);
    clock.advance({ days: 31 });
    app.memory.fail({ method: "deleteSession", throws: new Error("down") });
    const response = await app.send(`${BASE}/session`, { headers: { cookie: header } });
    expect(await response.json()).toBeNull();
  });

  it("H324 R49 clears the cookie but claims no sign-out when the record stays", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    app.memory.fail({ method: "deleteSession", throws: new Error("down") });
    const answer = await app.signOut();
    expect(answer.redirectsTo).toContain("error=Configuration");
    expect(app.browser.cookies.get(COOKIE.session)).toBeUndefined();
    expect(app.eventNames()).not.toContain("signOut");
    expect(app.logs.some(({ level, text }) => level === "error" && text.includes("#signouterror"))).toBe(true);
  });

  it("H314 R51 leaves no live session when a sign-out overtakes a renewal", async () => {
    const clock = installClock();
    const app = setUpDatabase();
    await app.signInWithOp();
    clock.advance({ days: 2 });
    const [answer] = await Promise.all([app.browser.fetch(`${BASE}/session`), app.signOut()]);
    expect(answer.status).toBeLessThan(500);
    expect(app.memory.snapshot().sessions).toEqual([]);
    expect(await app.session()).toBeNull();
  });
});
