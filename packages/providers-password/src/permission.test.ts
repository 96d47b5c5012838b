// The permission to choose a new password, after the link of a reset.
import { memoryStore } from "@cardea/core/adapters";
import { type Browser, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

const THIRD = "seven lamps over water";
const CHOOSE = "/auth/reset/password?step=choose";
const SET = `${ORIGIN}/inside`;

/** A user with a password, and a browser in which they may choose a new one. */
async function start(strategy: "jwt" | "database") {
  const app = startApp({ strategy });
  await app.register(app.open());
  const permitted = async () => {
    const browser = app.open();
    await app.askReset(browser);
    expect((await app.useLink(browser)).redirectsTo).toBe(`${ORIGIN}${CHOOSE}`);
    return browser;
  };
  // The page has the current CSRF token, whatever became of the permission.
  const submit = async (browser: Browser, password: string) =>
    browser.submit(await browser.navigate("/auth/reset/password"), {
      action: "/auth/reset/password",
      fields: { password },
    });
  const opens = async (password: string) => {
    const browser = app.open();
    await app.signIn(browser, EMAIL, password);
    return (await app.userOf(browser)) !== null;
  };
  return { ...app, permitted, submit, opens };
}

describe.each(["jwt", "database"] as const)("the permission to choose a password (%s)", (strategy) => {
  it("ends in every browser when the password was set in one", async () => {
    const { permitted, submit, opens, signIn } = await start(strategy);
    const [mallory, owner] = [await permitted(), await permitted()];
    await submit(owner, OTHER);
    const late = await submit(mallory, THIRD);
    expect(late.redirectsTo).toContain("error=invalid-link");
    expect(await (await mallory.navigate(CHOOSE)).text()).not.toContain("new-password");
    // A later sign-in of the same user does not revive it.
    await signIn(mallory, EMAIL, OTHER);
    expect((await submit(mallory, THIRD)).redirectsTo).toContain("error=invalid-link");
    expect([await opens(OTHER), await opens(THIRD)]).toEqual([true, false]);
  });

  it("ends when the password is changed otherwise, and not when its hash is upgraded", async () => {
    const { permitted, submit, opens, signIn, change, open, memory } = await start(strategy);
    const [first, second] = [await permitted(), await permitted()];
    const [row] = memory.snapshot().credentials;
    await memory.adapter.updateCredential?.({
      id: row?.id ?? "",
      version: row?.version ?? 0,
      secret: row?.secret ?? "",
    });
    expect((await submit(first, OTHER)).redirectsTo).not.toContain("error");
    const [third, member] = [await permitted(), open()];
    await signIn(member, EMAIL, OTHER);
    await change(member, { current: OTHER, password: THIRD });
    for (const browser of [second, third])
      expect((await submit(browser, PASSWORD)).redirectsTo).toContain("error=invalid-link");
    expect([await opens(THIRD), await opens(PASSWORD)]).toEqual([true, false]);
  });

  it("ends when the password was stored, although the database reports an error", async () => {
    const { permitted, submit, opens, memory } = await start(strategy);
    const browser = await permitted();
    memory.fail({ method: "updateCredential", throws: new Error("lost"), when: "after" });
    expect((await submit(browser, OTHER)).redirectsTo).not.toContain("error");
    expect((await submit(browser, THIRD)).redirectsTo).toContain("error=invalid-link");
    expect([await opens(OTHER), await opens(THIRD)]).toEqual([true, false]);
  });

  it("sets one password, of two processes and fifty requests at the same time", async () => {
    const { adapter } = createMemoryAdapter();
    const config = { adapter, store: memoryStore({ instances: 1 }) };
    const [one, other] = [startApp({ strategy, config }), startApp({ strategy, config })];
    await one.register(one.open());
    const browsers = [one.open(), one.open()];
    const pages: { readonly browser: Browser; readonly page: string }[] = [];
    for (const browser of browsers) {
      await one.askReset(browser);
      await one.useLink(browser);
      pages.push({ browser, page: await (await browser.navigate(CHOOSE)).text() });
    }
    const cookies = browsers.map((browser) => browser.cookies.list().map(({ name, value }) => `${name}=${value}`));
    const tokens = pages.map(({ page }) => /name="csrfToken" value="([^"]+)"/.exec(page)?.[1] ?? "");
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const body = new URLSearchParams({ csrfToken: tokens[n % 2] ?? "", password: `${OTHER} ${n}` });
        const headers = { cookie: cookies[n % 2]?.join("; ") ?? "", origin: ORIGIN };
        const { auth } = n % 4 < 2 ? one : other;
        return auth.handlers.POST(new Request(`${ORIGIN}/auth/reset/password`, { method: "POST", headers, body }));
      }),
    );
    const targets = answers.map((answer) => answer.headers.get("location") ?? "");
    const isSet = (to: string) => to === SET;
    expect(targets.filter(isSet)).toHaveLength(1);
    expect(targets.filter((to) => !isSet(to) && !to.includes("error="))).toEqual([]);
  });
});
