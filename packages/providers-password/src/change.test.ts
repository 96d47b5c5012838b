import type { Extension } from "@cardea/extend";
import { sessions } from "@cardea/sessions";
import { describe, expect, it } from "vitest";
import { EMAIL, INSIDE, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

describe("change", () => {
  it.each(["jwt", "database"] as const)(
    "needs the current password, and ends the other sessions (%s)",
    async (strategy) => {
      const { open, register, change, signIn, userOf, memory } = startApp({
        strategy,
        config: { extensions: [sessions({ revocation: { check: "each" } })] },
      });
      const [former, browser] = [open(), open()];
      await register(former);
      await signIn(browser, EMAIL, PASSWORD);
      const wrong = await change(browser, { current: OTHER, password: "another long password here" });
      expect(wrong.redirectsTo).toBe(`${ORIGIN}/auth/password?error=wrong-password`);
      expect(await userOf(former)).toBe(EMAIL);
      const right = await change(browser, { current: PASSWORD, password: OTHER });
      expect(right.redirectsTo).toBe(`${ORIGIN}/auth/password?step=done`);
      expect([await userOf(former), await userOf(browser)]).toEqual([null, EMAIL]);
      expect(memory.snapshot().credentials).toHaveLength(1);
      expect((await signIn(open(), EMAIL, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
    },
  );

  it.each<["jwt" | "database", readonly Extension[], string]>([
    ["jwt", [sessions({ revocation: { check: "each" } })], "signed out on all other devices."],
    ["database", [sessions({ revocation: { check: "each" } })], "signed out on all other devices."],
    ["jwt", [], "was saved.<"],
    ["database", [], "signed out on all other devices."],
  ])("says what became of the other sessions (%s, %#)", async (strategy, extensions, text) => {
    const { open, register, change } = startApp({ strategy, config: { extensions } });
    const browser = open();
    await register(browser);
    const { redirectsTo } = await change(browser, { current: PASSWORD, password: OTHER });
    const page = await browser.navigate(redirectsTo ?? "");
    expect((await page.text()).replaceAll("&#39;", "'")).toContain(text);
  });

  it("has fields that password managers know, and blocks no pasting", async () => {
    const { open, register } = startApp();
    const browser = open();
    await register(browser);
    const page = await (await browser.navigate("/auth/password")).text();
    for (const value of ["username", "current-password", "new-password"])
      expect(page).toContain(`autocomplete="${value}"`);
    expect(page).not.toMatch(/onpaste|maxlength/);
    const signIn = await (await open().navigate("/auth/signin?callbackUrl=/inside")).text();
    for (const action of ["register", "reset"])
      expect(signIn).toContain(`href="${ORIGIN}/auth/${action}/password?${INSIDE.slice(1)}"`);
    expect(signIn).toContain('autocomplete="username"');
    expect(signIn).toContain('autocomplete="current-password"');
  });

  it("adds a password for a user without one, after a recent sign-in", async () => {
    const { open, memory, askReset, useLink, change, signIn } = startApp();
    await memory.adapter.createUser?.({ id: "x", email: EMAIL, emailVerified: new Date(0) });
    const browser = open();
    await askReset(browser);
    await useLink(browser);
    expect((await change(browser, { password: OTHER }, "add")).redirectsTo).toContain("step=done");
    expect((await signIn(open(), EMAIL, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("does not add a second password, and none without a session", async () => {
    const { open, register, memory } = startApp();
    const browser = open();
    await register(browser);
    const page = await browser.navigate("/auth/password");
    const form = (await page.text()).replaceAll("/password/change", "/password/add");
    const answer = await browser.submit(form, { action: "/auth/password/add", fields: { password: OTHER } });
    expect(answer.redirectsTo).toBe(`${ORIGIN}/auth/password`);
    expect(memory.snapshot().credentials).toMatchObject([{ version: 0 }]);
    expect((await open().navigate("/auth/password")).redirectsTo).toContain("/auth/signin?callbackUrl=");
  });

  it("is refused without the CSRF token", async () => {
    const { open, register, signIn } = startApp();
    const browser = open();
    await register(browser);
    await browser.navigate("/auth/password/change", { form: { current: PASSWORD, password: OTHER } });
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });
});
