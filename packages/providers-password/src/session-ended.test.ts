import { sessions, sessionsOf } from "@cardea/sessions";
import { describe, expect, it } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

/** A session of a user with a password, and what happens right after a new one was stored. */
async function startCase(strategy: "jwt" | "database") {
  const app = startApp({ strategy, config: { extensions: [sessions({ revocation: { check: "each" } })] } });
  const browser = app.open();
  await app.register(browser);
  const { adapter } = app.memory;
  const { updateCredential } = adapter;
  const afterStoring = (run: () => unknown) => {
    adapter.updateCredential = async (change) => {
      const stored = await updateCredential(change);
      adapter.updateCredential = updateCredential;
      await run();
      return stored;
    };
  };
  const endAll = () => sessionsOf(app.auth).endAll(app.memory.snapshot().users[0]?.id ?? "");
  const passwordOf = async () => {
    const answers = await Promise.all([PASSWORD, OTHER].map((one) => app.signIn(app.open(), EMAIL, one)));
    return [PASSWORD, OTHER].filter((_, n) => answers[n]?.redirectsTo === `${ORIGIN}/inside`);
  };
  return { ...app, browser, afterStoring, endAll, passwordOf };
}

describe.each(["jwt", "database"] as const)("a %s session that ends while its password is stored", (strategy) => {
  it("changes no password", async () => {
    const { browser, change, afterStoring, endAll, passwordOf } = await startCase(strategy);
    afterStoring(endAll);
    const { redirectsTo } = await change(browser, { current: PASSWORD, password: OTHER });
    expect(redirectsTo).toContain("/auth/signin?");
    expect(await passwordOf()).toEqual([PASSWORD]);
  });

  it("resets no password", async () => {
    const { browser, askReset, useLink, choose, afterStoring, endAll, passwordOf } = await startCase(strategy);
    await askReset(browser);
    await useLink(browser);
    afterStoring(endAll);
    expect((await choose(browser, OTHER)).redirectsTo).toContain("error=invalid-link");
    expect(await passwordOf()).toEqual([PASSWORD]);
  });
});

describe("a session that cannot be read after its password was stored", () => {
  it("has replaced the former one, and ends the other sessions", async () => {
    const { browser, open, signIn, userOf, change, afterStoring, memory, passwordOf } = await startCase("database");
    const thief = open();
    await signIn(thief, EMAIL, PASSWORD);
    afterStoring(() => memory.fail({ method: "getSessionAndUser", throws: new Error("away") }));
    expect((await change(browser, { current: PASSWORD, password: OTHER })).redirectsTo).toContain("step=done");
    expect(await passwordOf()).toEqual([OTHER]);
    expect([await userOf(thief), await userOf(browser)]).toEqual([null, EMAIL]);
  });
});
