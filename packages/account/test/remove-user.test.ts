import { describe, expect, it } from "vitest";
import { mailOf, OLD, startApplication } from "./open-application.ts";

type App = ReturnType<typeof startApplication>;

const idsOf = ({ memory }: App) => memory.snapshot().users.map(({ id }) => id);

/** Ann has asked for the deletion of her account. */
async function request(options: Parameters<typeof startApplication>[0] = {}) {
  const app = startApplication(options);
  const [ann, other] = [app.newBrowser(), app.newBrowser()];
  for (const one of [ann, other]) await one.signIn();
  const answer = await ann.post("remove");
  return { app, ann, other, answer };
}

describe("the deletion of an account", () => {
  it.each(["jwt", "database"] as const)(
    "is due in two weeks, and ends every session at once (%s)",
    async (strategy) => {
      const { app, ann, other, answer } = await request({ strategy });
      expect(answer).toMatchObject({ status: 200, body: { due: expect.any(String) } });
      app.clock.advance({ seconds: 3 });
      expect([await ann.session(), await other.session()]).toEqual([null, null]);
      expect(mailOf(app.mails, "deletion-requested").to).toBe(OLD);
      app.clock.advance({ days: 13 });
      expect(await app.operations.removeDue()).toEqual({ removed: [], kept: [] });
      app.clock.advance({ days: 1, hours: 1 });
      expect(await app.operations.removeDue()).toEqual({ removed: ["ann"], kept: [] });
      expect(idsOf(app)).toEqual(["bob"]);
      expect(app.facts.filter(({ kind }) => /deletion|deleted/.test(kind)).map(({ kind }) => kind)).toEqual([
        "deletion.requested",
        "user.deleted",
      ]);
      expect(await app.operations.removeDue()).toEqual({ removed: [], kept: [] });
    },
  );

  it("is offered for cancellation at the next sign-in, which then goes on", async () => {
    const { app } = await request();
    const ann = app.newBrowser();
    const { url, code } = await ann.signIn();
    expect([code, await ann.session()]).toEqual(["account", null]);
    const page = await ann.browser.navigate(url, { initiator: "none" });
    expect(await page.clone().text()).toContain("Your account will be deleted");
    const answer = await ann.browser.submit(page, { button: "keep" });
    expect(answer.status).toBe(302);
    expect(await ann.session()).toMatchObject({ user: { email: OLD } });
    expect(mailOf(app.mails, "deletion-cancelled").to).toBe(OLD);
    app.clock.advance({ days: 20 });
    expect(await app.operations.removeDue()).toEqual({ removed: [], kept: [] });
    expect(idsOf(app)).toEqual(["ann", "bob"]);
  });

  it("goes on if the user leaves the question", async () => {
    const { app } = await request();
    const ann = app.newBrowser();
    const { url } = await ann.signIn();
    const page = await ann.browser.navigate(url, { initiator: "none" });
    expect(await (await ann.browser.submit(page, { button: "leave" })).text()).toContain(
      "To keep it, sign in before then.",
    );
    expect(await ann.session()).toBeNull();
    app.clock.advance({ days: 15 });
    expect((await app.operations.removeDue()).removed).toEqual(["ann"]);
  });

  it("is refused by the application, at the request and when it is due", async () => {
    let mayRemove = false;
    const { app, answer } = await request({ account: { mayRemove: () => mayRemove } });
    expect(answer).toEqual({ status: 403, body: { error: "refused" } });
    expect(await app.operations.remove("ann")).toEqual({ kind: "refused" });
    mayRemove = true;
    await app.operations.remove("ann");
    mayRemove = false;
    app.clock.advance({ days: 15 });
    expect(await app.operations.removeDue()).toEqual({ removed: [], kept: ["ann"] });
    mayRemove = true;
    expect(await app.operations.removeDue()).toEqual({ removed: ["ann"], kept: [] });
  });

  it("keeps its time when it is requested twice at once, by the user and an administrator", async () => {
    const app = startApplication();
    const answers = await Promise.all([app.operations.remove("ann"), app.operations.remove("ann", { by: "owner" })]);
    expect(answers[1]).toEqual(answers[0]);
    expect(app.facts.filter(({ kind }) => kind === "deletion.requested")).toHaveLength(1);
    app.clock.advance({ days: 1 });
    expect(await app.operations.remove("ann")).toEqual(answers[0]);
  });

  it("is carried out by one of several processes, and not after it was cancelled at the same moment", async () => {
    const { app } = await request();
    app.clock.advance({ days: 15 });
    const results = await Promise.all(Array.from({ length: 5 }, () => app.operations.removeDue()));
    expect(results.flatMap(({ removed }) => removed)).toEqual(["ann"]);
    expect(app.facts.filter(({ kind }) => kind === "user.deleted")).toHaveLength(1);
    for (let n = 0; n < 20; n++) {
      const race = startApplication();
      await race.operations.remove("ann");
      race.clock.advance({ days: 15 });
      const [{ removed }, isCancelled] = await Promise.all([
        race.operations.removeDue(),
        race.operations.cancelRemoval("ann"),
      ]);
      expect([removed.length, idsOf(race).includes("ann")]).toEqual(isCancelled ? [0, true] : [1, false]);
    }
  });

  it("is tried again after an outage of the database", async () => {
    const { app } = await request();
    app.clock.advance({ days: 15 });
    app.memory.fail({ method: "deleteUser", throws: new Error("away") });
    expect(await app.operations.removeDue()).toEqual({ removed: [], kept: ["ann"] });
    expect(await app.operations.removeDue()).toEqual({ removed: ["ann"], kept: [] });
  });

  it("keeps the user if the store forgets it", async () => {
    const { app } = await request();
    const forgetful = startApplication({ adapt: () => app.memory.adapter });
    app.clock.advance({ days: 15 });
    expect(await forgetful.operations.removeDue()).toEqual({ removed: [], kept: [] });
    await forgetful.newBrowser().signIn();
    expect(idsOf(app)).toEqual(["ann", "bob"]);
  });

  it("refuses a sign-in once it has begun", async () => {
    const { app } = await request();
    app.clock.advance({ days: 15 });
    app.memory.fail({ method: "deleteUser", delayMs: 200 });
    const removing = app.operations.removeDue();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const ann = app.newBrowser();
    const { url } = await ann.signIn();
    expect(url).toContain("error=AccessDenied");
    expect(await app.operations.cancelRemoval("ann")).toBe(false);
    expect((await removing).removed).toEqual(["ann"]);
  });

  it("ends a session that was there without sessions(), where the database has them", async () => {
    const { app, ann } = await request({ strategy: "database", config: { extensions: [] } });
    expect(await ann.session()).toBeNull();
    expect(await app.operations.get("ann")).toMatchObject({ deletion: expect.any(Date) });
    expect(await app.operations.cancelRemoval("ann")).toBe(true);
    expect(await app.operations.cancelRemoval("ann")).toBe(false);
    expect(await app.operations.get("unknown")).toBeNull();
  });

  it("lets the user change nothing else", async () => {
    const app = startApplication({ config: { extensions: [] } });
    const ann = app.newBrowser();
    await ann.signIn();
    await app.operations.remove("ann");
    // Stateless sessions go on without sessions().
    expect(await ann.post("profile", { name: "A" })).toEqual({ status: 409, body: { error: "pending" } });
    expect(await ann.post("cancel")).toMatchObject({ status: 200 });
    expect(await ann.post("profile", { name: "A" })).toMatchObject({ status: 200 });
  });
});
