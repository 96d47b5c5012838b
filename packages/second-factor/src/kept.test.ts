import { handleOf } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { bodyOf, codeOf, enrol, STRATEGIES, startApplication } from "../test/open-application.ts";
import { secondFactorOf } from "./index.ts";

const always = { require: () => "always" as const };

describe.each(STRATEGIES)("what is added while its session ends, %s sessions", (strategy) => {
  const start = (options = {}) => startApplication(options, { strategy, session: { strategy, maxAge: 600 } });
  type App = ReturnType<typeof start>;

  /** Runs something once, after a credential was stored. */
  const afterNextWrite = ({ memory: { adapter } }: App, run: () => unknown) => {
    const { createCredential } = adapter;
    adapter.createCredential = async (row) => {
      const stored = await createCredential(row);
      adapter.createCredential = createCredential;
      await run();
      return stored;
    };
  };

  const endSession = async ({ memory, clock }: App) => {
    if (strategy === "jwt") clock.advance({ seconds: 700 });
    else await memory.adapter.deleteSessionsByUserId("ann");
  };

  const failOnce = ({ memory: { adapter } }: App, method: "getUser" | "getSessionAndUser" = "getUser") => {
    const working = adapter[method];
    adapter[method] = async () => {
      Object.assign(adapter, { [method]: working });
      throw new Error("away");
    };
  };

  const begin = async (ann: ReturnType<App["newBrowser"]>) =>
    Object((await bodyOf(await ann.send("/auth/factors/totp", { step: "begin" }))).enrol);

  it("an app is removed again if the session ended", async () => {
    const app = start();
    const ann = app.newBrowser();
    await ann.signIn();
    const { secret, setup } = await begin(ann);
    afterNextWrite(app, () => endSession(app));
    const fields = { step: "confirm", setup, code: codeOf(secret, app.now()) };
    expect((await ann.send("/auth/factors/totp", fields)).status).toBe(401);
    expect(app.memory.snapshot().credentials).toEqual([]);
  });

  it("an app is removed again if the session cannot be read, and its setup can be confirmed again", async () => {
    const app = start();
    const ann = app.newBrowser();
    await ann.signIn();
    const { secret, setup } = await begin(ann);
    afterNextWrite(app, () => failOnce(app));
    const confirm = () => ann.send("/auth/factors/totp", { step: "confirm", setup, code: codeOf(secret, app.now()) });
    expect((await confirm()).status).toBe(503);
    expect(app.memory.snapshot().credentials).toEqual([]);
    expect((await confirm()).status).toBe(200);
    expect(await secondFactorOf(app.auth).list("ann")).toMatchObject({ totp: [{}], recoveryCodesLeft: 10 });
  });

  it("an app enrolled in a session that is asked for one is removed again", async () => {
    const before = start({ require: () => "never" });
    const app = startApplication(always, {
      strategy,
      session: { strategy, maxAge: 600 },
      adapter: before.memory.adapter,
    });
    const ann = before.newBrowser();
    await ann.signIn();
    const now = app.newBrowser();
    now.browser.cookies.restore(ann.browser.cookies.snapshot());
    const { enrol: setup } = await now.asked();
    afterNextWrite(before, async () => {
      if (strategy === "jwt") app.clock.advance({ seconds: 700 });
      else await before.memory.adapter.deleteSessionsByUserId("ann");
    });
    const fields = { step: "confirm", setup: setup?.setup ?? "", code: codeOf(setup?.secret ?? "", app.now()) };
    expect((await now.send("/auth/factor/totp", fields)).status).toBe(401);
    expect(before.memory.snapshot().credentials).toEqual([]);
  });

  /** Makes new recovery codes while something happens, and signs in with one of the former ones. */
  const regenerate = async (app: App, happens: () => unknown): Promise<number> => {
    const ann = app.newBrowser();
    await ann.signIn();
    const { secret, setup } = await begin(ann);
    const fields = { step: "confirm", setup, code: codeOf(secret, app.now()) };
    const { recoveryCodes } = await bodyOf(await ann.send("/auth/factors/totp", fields));
    afterNextWrite(app, happens);
    const { status } = await ann.send("/auth/factors/recovery", { step: "regenerate" });
    expect(await secondFactorOf(app.auth).list("ann")).toMatchObject({ totp: [{}], recoveryCodesLeft: 10 });
    const late = app.newBrowser();
    await late.signIn();
    const code = String(Object(recoveryCodes)[0]);
    expect((await late.send("/auth/factor/recovery", { code })).status).toBe(200);
    return status;
  };

  it("the former recovery codes count if the session ended while new ones are made", async () => {
    const app = start();
    expect(await regenerate(app, () => endSession(app))).toBe(401);
  });

  // With jwt sessions, nothing has to be read for a session with a proof.
  if (strategy === "database")
    it("the former recovery codes count if the session cannot be read again", async () => {
      const app = start();
      expect(await regenerate(app, () => failOnce(app, "getSessionAndUser"))).toBe(503);
    });

  it.each(["createCredential", "deleteCredential"] as const)(
    "the former recovery codes count if the database fails while new ones are made (%s)",
    async (method) => {
      const app = start();
      const ann = app.newBrowser();
      await ann.signIn();
      const { secret, setup } = await begin(ann);
      const fields = { step: "confirm", setup, code: codeOf(secret, app.now()) };
      const { recoveryCodes } = await bodyOf(await ann.send("/auth/factors/totp", fields));
      app.clock.advance({ seconds: 60 });
      const { adapter } = app.memory;
      const working = adapter[method];
      adapter[method] = async () => {
        throw new Error("away");
      };
      expect((await ann.send("/auth/factors/recovery", { step: "regenerate" })).status).toBe(503);
      Object.assign(adapter, { [method]: working });
      const late = app.newBrowser();
      await late.signIn();
      const code = String(Object(recoveryCodes)[0]);
      expect((await late.send("/auth/factor/recovery", { code })).status).toBe(200);
      expect(
        (await bodyOf(await ann.send("/auth/factors/recovery", { step: "regenerate" }))).recoveryCodes,
      ).toHaveLength(10);
      const rows = app.memory.snapshot().credentials.filter(({ type }) => type === "recovery");
      expect(rows).toHaveLength(1);
    },
  );

  it("a pending sign-in that was ended meanwhile leaves no app and no codes", async () => {
    const app = start(always);
    const thief = app.newBrowser();
    const t = await handleOf(app.auth, "second-factor").tools();
    afterNextWrite(app, () => t.endSessions("ann", { by: "owner", reason: "test" }));
    const { answer } = await enrol(app, thief);
    expect(answer.status).not.toBe(503);
    expect(thief.hasSession()).toBe(false);
    expect(app.memory.snapshot().credentials).toEqual([]);
  });

  it("a reset ends pending sign-ins", async () => {
    const app = start(always);
    await enrol(app, app.newBrowser());
    const thief = app.newBrowser();
    await thief.signIn();
    await secondFactorOf(app.auth).reset("ann", { by: "admin" });
    expect(Object(await thief.asked()).code).toBe("expired");
    expect((await enrol(app, app.newBrowser())).codes).toHaveLength(10);
  });
});
