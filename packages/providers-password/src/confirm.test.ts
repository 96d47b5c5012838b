import { describe, expect, it } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

describe("confirm", () => {
  async function start(strategy: "jwt" | "database") {
    const app = startApp({ strategy });
    const browser = app.open();
    await app.register(browser);
    const confirm = async (password: string, callbackUrl = "/done") => {
      const page = await browser.navigate(`/auth/password?step=confirm&callbackUrl=${encodeURIComponent(callbackUrl)}`);
      return browser.submit(page, { action: "/auth/password/confirm", fields: { password } });
    };
    const token = () => browser.cookies.list().find(({ name }) => name.includes("session-token"))?.value;
    return { ...app, browser, confirm, token };
  }

  it.each(["jwt", "database"] as const)("issues the session again with the right password (%s)", async (strategy) => {
    const { browser, confirm, token, userOf } = await start(strategy);
    const before = token();
    const wrong = await confirm(OTHER);
    expect(wrong.redirectsTo).toContain("/auth/password?step=confirm&");
    expect(wrong.redirectsTo).toContain("error=wrong-password");
    expect(token()).toBe(before);
    expect((await confirm(PASSWORD)).redirectsTo).toBe(`${ORIGIN}/done`);
    expect([token() === before, await userOf(browser)]).toEqual([false, EMAIL]);
    expect((await confirm(PASSWORD, "https://evil.example/")).redirectsTo).not.toContain("evil");
  });

  it("has the fields that password managers know", async () => {
    const { browser } = await start("jwt");
    const page = await (await browser.navigate("/auth/password?step=confirm")).text();
    expect(page).toContain('autocomplete="current-password"');
    expect(page).not.toContain("new-password");
  });

  it("counts wrong passwords as the sign-in does: after a hundred none is right", async () => {
    const { confirm, signIn, open } = await start("jwt");
    for (let n = 0; n < 100; n++) await confirm(OTHER);
    expect((await confirm(PASSWORD)).redirectsTo).toContain("error=wrong-password");
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toContain("CredentialsSignin");
  });

  it("asks no one who is not signed in", async () => {
    const { open } = startApp();
    expect((await open().navigate("/auth/password?step=confirm")).redirectsTo).toContain("/auth/signin");
  });
});

describe("the busy sign-in page", () => {
  it("says that it is busy, not that the details are wrong", async () => {
    const { open } = startApp();
    const page = await (await open().navigate("/auth/signin?error=CredentialsSignin&code=busy")).text();
    expect(page).toContain("We’re busy right now.");
    expect(page).not.toContain("incorrect");
    expect(page).not.toContain("aria-invalid=");
    const limited = await (await open().navigate("/auth/signin?error=CredentialsSignin&code=too_many_attempts")).text();
    expect(limited).toContain("Too many attempts.");
    const wrong = await (await open().navigate("/auth/signin?error=CredentialsSignin&code=constructor")).text();
    expect(wrong).toContain("Those details are incorrect.");
  });
});
