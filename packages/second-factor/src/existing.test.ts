/** A session that its user began before there was a factor, and the factor came in another one. */
import { account } from "@cardea/account";
import { memoryStore } from "@cardea/core/adapters";
import { defineExtension, type Store } from "@cardea/extend";
import { stepUp } from "@cardea/step-up";
import { describe, expect, it } from "vitest";
import { bodyOf, codeOf, ORIGIN, STRATEGIES, startApplication } from "../test/open-application.ts";
import { recoveryCodes, secondFactor, secondFactorOf, totp } from "./index.ts";

const factors = [totp({ issuer: "Acme" }), recoveryCodes()];

type App = ReturnType<typeof startApplication>;
type Person = ReturnType<App["newBrowser"]>;

/** Adds an app in a session; returns its secret. */
async function addApp(app: Pick<App, "clock" | "now">, who: Person): Promise<string> {
  const begun = await bodyOf(await who.send("/auth/factors/totp", { step: "begin" }));
  const { secret, setup } = Object(begun.enrol);
  const answer = await who.send("/auth/factors/totp", { step: "confirm", setup, code: codeOf(secret, app.now()) });
  expect(answer.status).toBe(200);
  app.clock.advance({ seconds: 30 });
  return secret;
}

/** A store that counts its calls. */
function countingStore() {
  const store = memoryStore({ instances: 1 });
  const calls = { count: 0 };
  const watch = (name: keyof Store) => {
    const method: unknown = store[name];
    if (typeof method !== "function") return [name, method];
    return [
      name,
      (...args: unknown[]) => {
        calls.count++;
        return Reflect.apply(method, store, args);
      },
    ];
  };
  const names = ["get", "set", "add", "swap", "log"] as const;
  return { store: { ...store, ...Object.fromEntries(names.map(watch)) }, calls };
}

describe.each(STRATEGIES)("a session from before its user enrolled, %s sessions", (strategy) => {
  /** Ann is signed in twice, and no factor is enrolled. */
  async function start(config: Parameters<typeof startApplication>[1] = {}) {
    const app = startApplication({}, { strategy, ...config });
    const [one, other] = [app.newBrowser(), app.newBrowser()];
    await one.signIn();
    await other.signIn();
    expect(await other.session()).toMatchObject({ user: { name: "Ann" } });
    return { app, one, other };
  }

  it("is asked at its next read, keeps its cookie, and goes on with a code", async () => {
    const { app, one, other } = await start();
    const [before] = app.memory.snapshot().sessionInfos.slice(-1);
    const secret = await addApp(app, one);
    expect(await one.session()).toMatchObject({ user: { name: "Ann" } });
    expect(await other.session()).toBeNull();
    expect(other.hasSession()).toBe(true);
    expect((await other.send("/auth/factor/totp", { code: "000000" })).status).toBe(401);
    expect(await other.session()).toBeNull();
    expect((await other.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(200);
    expect(await other.session()).toMatchObject({ user: { name: "Ann" } });
    const after = app.memory.snapshot().sessionInfos.find(({ id }) => id === before?.id);
    expect(after?.factors.map(({ m }) => m)).toEqual(expect.arrayContaining(["pwd", "otp"]));
  });

  it("is asked within a minute where another process has the session", async () => {
    const { app, one, other } = await start();
    const elsewhere = startApplication({}, { strategy, adapter: app.memory.adapter });
    const there = elsewhere.newBrowser();
    there.browser.cookies.restore(other.browser.cookies.snapshot());
    expect(await there.session()).toMatchObject({ user: { name: "Ann" } });
    // The clock of the process that began last is that of both.
    await addApp(elsewhere, one);
    elsewhere.clock.advance({ seconds: 31 });
    expect(await there.session()).toBeNull();
  });

  it("changes no sign-in methods in that minute", async () => {
    const { app, one, other } = await start();
    const seen: unknown[] = [];
    const run = async (action: { session(): Promise<{ readonly userId: string } | null> }) => {
      seen.push((await action.session())?.userId);
      return { kind: "json", status: 200, body: null } as const;
    };
    const change = { csrf: "required", segment: "none", answers: "json", head: "skip", run } as const;
    const changer = defineExtension({ id: "changer", actions: { "POST change": change } });
    const extensions = [secondFactor({ factors }), changer];
    const elsewhere = startApplication({}, { strategy, adapter: app.memory.adapter, extensions });
    const there = elsewhere.newBrowser();
    there.browser.cookies.restore(other.browser.cookies.snapshot());
    expect(await there.session()).toMatchObject({ user: { name: "Ann" } });
    await there.send("/auth/change", {});
    await addApp(app, one);
    expect(await there.session()).toMatchObject({ user: { name: "Ann" } });
    await there.send("/auth/change", {});
    expect(seen).toEqual(["ann", undefined]);
  });

  it("is asked by a process that begins afterwards", async () => {
    const { app, one, other } = await start();
    await addApp(app, one);
    const later = startApplication({}, { strategy, adapter: app.memory.adapter });
    const there = later.newBrowser();
    there.browser.cookies.restore(other.browser.cookies.snapshot());
    expect(await there.session()).toBeNull();
  });

  it("is asked although the lookup of a read began before", async () => {
    const { app, one, other } = await start();
    app.clock.advance({ seconds: 61 });
    let goOn = () => {};
    const { listCredentialsByUserId } = app.memory.adapter;
    app.memory.adapter.listCredentialsByUserId = async (userId) => {
      const rows = await listCredentialsByUserId(userId);
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return rows;
    };
    const begun = new Promise<void>((resolve) => {
      const look = app.memory.adapter.listCredentialsByUserId;
      app.memory.adapter.listCredentialsByUserId = (userId) => {
        app.memory.adapter.listCredentialsByUserId = listCredentialsByUserId;
        resolve();
        return look(userId);
      };
    });
    const slow = other.session();
    await begun;
    await addApp(app, one);
    goOn();
    expect(await slow, "it began before").toMatchObject({ user: { name: "Ann" } });
    expect(await other.session()).toBeNull();
  });

  it("is asked when a factor is required of its user from now on", async () => {
    const setting: { require: "if-enrolled" | "always" } = { require: "if-enrolled" };
    const { app, other } = await start({ extensions: [secondFactor({ factors, require: () => setting.require })] });
    setting.require = "always";
    app.clock.advance({ seconds: 61 });
    expect(await other.session()).toBeNull();
    expect((await other.asked()).enrol?.secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it("is not asked any more when the factor is gone, nor with `existing: keep`", async () => {
    const { app, one, other } = await start();
    await addApp(app, one);
    expect(await other.session()).toBeNull();
    await secondFactorOf(app.auth).reset("ann", { by: "admin" });
    expect(await other.session()).toMatchObject({ user: { name: "Ann" } });
    const spared = [secondFactor({ factors, existing: "keep" }), account({ mail: () => undefined })];
    const kept = await start({ extensions: spared });
    await addApp(kept.app, kept.one);
    expect(await kept.other.session()).toMatchObject({ user: { name: "Ann" } });
    const change = await kept.other.send("/auth/account/email", { email: "new@example.com" });
    expect(await change.json(), "but another address is added after a factor only").toMatchObject({
      url: expect.stringContaining("/auth/factor?"),
    });
  });

  it("is not spared by what the browser remembers of a factor that is gone", async () => {
    const { app, one, other } = await start();
    const secret = await addApp(app, one);
    await other.send("/auth/factor/totp", { code: codeOf(secret, app.now()), browser: "remember" });
    await secondFactorOf(app.auth).reset("ann", { by: "admin" });
    await other.send("/auth/signout");
    await other.signIn();
    expect(await other.session()).toMatchObject({ user: { name: "Ann" } });
    app.clock.advance({ seconds: 30 });
    await addApp(app, one);
    expect(await other.session()).toBeNull();
  });

  it("a session by a remembered browser goes on, also after a minute", async () => {
    const { app, one, other } = await start();
    const secret = await addApp(app, one);
    await other.send("/auth/factor/totp", { code: codeOf(secret, app.now()), browser: "remember" });
    await other.send("/auth/signout");
    await other.signIn();
    expect(await other.session()).toMatchObject({ user: { name: "Ann" } });
    app.clock.advance({ seconds: 61 });
    expect(await other.session()).toMatchObject({ user: { name: "Ann" } });
  });

  it("meets no level of step-up while it is asked, and keeps what other extensions know of it", async () => {
    const level = stepUp({ settings: { within: "15m" } });
    const noted = defineExtension({
      id: "noted",
      admit: ({ facts }, t) => ({ admit: true, facts: facts.f.length > 1 ? {} : { f: [["hwk", t.now()]] } }),
    });
    const { app, one, other } = await start({ extensions: [noted, level, secondFactor({ factors })] });
    const pay = level.guard(app.auth, "settings", () => new Response("paid"));
    const ask = async ({ browser }: Person) => {
      const cookie = browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
      return (await pay(new Request(`${ORIGIN}/pay`, { headers: { cookie: cookie.join("; ") } }))).status;
    };
    expect(await ask(other)).toBe(200);
    const secret = await addApp(app, one);
    expect([await ask(one), await ask(other)]).toEqual([200, 401]);
    await other.send("/auth/factor/totp", { code: codeOf(secret, app.now()) });
    expect(await ask(other)).toBe(200);
    const known = app.memory.snapshot().sessionInfos.map(({ factors }) => factors.map(({ m }) => m));
    expect(known.filter((methods) => methods.includes("hwk") && methods.includes("otp"))).toHaveLength(2);
  });

  it("a steady read looks nothing up: neither with a factor nor without one", async () => {
    const { store, calls } = countingStore();
    const { app, one } = await start({ store });
    const bob = app.newBrowser();
    await bob.signIn("bob");
    await addApp(app, one);
    const own = strategy === "jwt" ? [] : ["getSessionAndUser"];
    for (const who of [one, bob]) {
      await who.session();
      const before = [app.memory.calls.length, calls.count] as const;
      for (let read = 0; read < 50; read++) expect(await who.session()).not.toBeNull();
      const made = app.memory.calls.slice(before[0]).map(({ method }) => method);
      expect([[...new Set(made)], calls.count - before[1]]).toEqual([own, 0]);
    }
    // With a factor, not even after a minute.
    app.clock.advance({ seconds: 61 });
    const before = app.memory.calls.length;
    await one.session();
    expect(app.memory.calls.slice(before).map(({ method }) => method)).toEqual(own);
  });
});
