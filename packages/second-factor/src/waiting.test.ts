/** A sign-in that waits for its factor does not outlive the end of all sessions of its user. */
import { memoryStore } from "@cardea/core/adapters";
import { defineExtension } from "@cardea/extend";
import { sessions, sessionsOf } from "@cardea/sessions";
import { describe, expect, it } from "vitest";
import { bodyOf, codeOf, enrol, STRATEGIES, startApplication } from "../test/open-application.ts";
import { secondFactor } from "./index.ts";

const always = { require: () => "always" as const };

describe.each(STRATEGIES)("a sign-in that waits, %s sessions", (strategy) => {
  function start() {
    const store = memoryStore({ instances: 1 });
    const state = { during: async () => undefined as unknown };
    const late = defineExtension({
      id: "late",
      admit: async ({ facts }) => {
        if (facts.f.some(([method]) => method === "otp")) await state.during();
        return { admit: true };
      },
    });
    const extensions = [secondFactor(always), sessions({ revocation: { check: "each" } }), late];
    const app = startApplication(always, { strategy, store, extensions });
    return { ...app, state };
  }

  it("ends when all sessions of its user end, and changes nothing afterwards", async () => {
    const app = start();
    const { secret } = await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 60 });
    const [stranger, owner] = [app.newBrowser(), app.newBrowser()];
    await stranger.signIn();
    await sessionsOf(app.auth).endAll("ann");
    const before = JSON.stringify(app.memory.snapshot());
    const answer = await stranger.send("/auth/factor/totp", { code: codeOf(secret, app.now()) });
    expect([answer.status, stranger.hasSession()]).toEqual([403, false]);
    expect(JSON.stringify(app.memory.snapshot()), "the code was not used up").toBe(before);
    await owner.signIn();
    expect((await owner.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(200);
    expect(owner.hasSession()).toBe(true);
  });

  it("enrols no factor after that", async () => {
    const app = start();
    const stranger = app.newBrowser();
    await stranger.signIn();
    const { enrol: setup } = await stranger.asked();
    await sessionsOf(app.auth).endAll("ann");
    const fields = { step: "confirm", setup: setup?.setup ?? "", code: codeOf(setup?.secret ?? "", app.now()) };
    expect((await stranger.send("/auth/factor/totp", fields)).status).toBe(403);
    expect(app.memory.snapshot().credentials ?? []).toEqual([]);
  });

  it("ends also when that happens while it goes on, after every other look", async () => {
    const app = start();
    const { secret } = await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 60 });
    const stranger = app.newBrowser();
    await stranger.signIn();
    app.state.during = () => sessionsOf(app.auth).endAll("ann");
    const answer = await stranger.send("/auth/factor/totp", { code: codeOf(secret, app.now()) });
    expect(await bodyOf(answer)).toMatchObject({ url: expect.stringContaining("AccessDenied") });
    expect(await stranger.session()).toBeNull();
  });

  it("goes on where the sessions of another user ended, or its own ended before it began", async () => {
    const app = start();
    const { secret } = await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 60 });
    await sessionsOf(app.auth).endAll("ann");
    const ann = app.newBrowser();
    await ann.signIn();
    await sessionsOf(app.auth).endAll("bob");
    expect((await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(200);
    expect(await ann.session()).not.toBeNull();
  });
});
