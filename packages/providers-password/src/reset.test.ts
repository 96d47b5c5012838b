import { defineExtension } from "@cardea/extend";
import { sessions } from "@cardea/sessions";
import { describe, expect, it } from "vitest";
import { EMAIL, INSIDE, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

const CHOOSE = `${ORIGIN}/auth/reset/password?step=choose`;

describe("reset", () => {
  it("signs the owner in by the link, sets a new password and ends every other session", async () => {
    const { open, register, askReset, useLink, choose, signIn, userOf, mails } = startApp({
      config: { extensions: [sessions({ revocation: { check: "each" } })] },
    });
    const [former, browser] = [open(), open()];
    await register(former);
    expect((await askReset(browser)).redirectsTo).toBe(`${ORIGIN}/auth/reset/password?step=sent${INSIDE}`);
    expect(mails.at(-1)).toMatchObject({ kind: "reset", to: EMAIL });
    expect((await useLink(browser)).redirectsTo).toBe(CHOOSE);
    expect((await choose(browser, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect([await userOf(former), await userOf(browser)]).toEqual([null, EMAIL]);
    expect(mails.at(-1)).toMatchObject({ kind: "changed", to: EMAIL });
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toContain("error=CredentialsSignin");
    expect((await signIn(open(), EMAIL, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("ends the other sessions of the database without any other extension", async () => {
    const { open, register, askReset, useLink, choose, userOf } = startApp({ strategy: "database" });
    const [former, browser] = [open(), open()];
    await register(former);
    await askReset(browser);
    await useLink(browser);
    const { redirectsTo } = await choose(browser, OTHER);
    expect([await userOf(former), await userOf(browser)]).toEqual([null, EMAIL]);
    expect(redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("says so in the log where nothing can end sessions", async () => {
    const { open, register, askReset, useLink, choose, said } = startApp();
    const browser = open();
    await register(browser);
    await askReset(browser);
    await useLink(browser);
    await choose(browser, OTHER);
    expect(said.join()).toContain("sessions-not-ended");
  });

  it("answers for an unknown address as for a known one, and sends it nothing", async () => {
    const { open, register, askReset, mails } = startApp();
    await register(open());
    const [known, unknown] = [await askReset(open()), await askReset(open(), "nix@example.com")];
    expect(unknown.redirectsTo).toBe(known.redirectsTo);
    expect(unknown.headers.getSetCookie()).toEqual(known.headers.getSetCookie());
    expect(mails.filter(({ kind }) => kind === "reset").map(({ to }) => to)).toEqual([EMAIL]);
  });

  it("uses a link once, of fifty at the same time one", async () => {
    const { open, register, askReset, mails } = startApp();
    const browser = open();
    await register(open());
    await askReset(browser);
    const url = new URL(mails.at(-1)?.url ?? "");
    const text = await (await browser.navigate(url.href)).text();
    const submit = () => browser.tab().submit(text, { action: `${ORIGIN}${url.pathname}` });
    const answers = await Promise.all(Array.from({ length: 50 }, submit));
    expect(answers.filter(({ redirectsTo }) => redirectsTo === CHOOSE)).toHaveLength(1);
  });

  it("sets one password by one proof, of fifty at the same time", async () => {
    const { open, register, askReset, useLink, memory } = startApp();
    const browser = open();
    await register(open());
    await askReset(browser);
    await useLink(browser);
    const text = await (await browser.navigate(CHOOSE)).text();
    const submit = (_: unknown, n: number) =>
      browser.tab().submit(text, { action: "/auth/reset/password", fields: { password: `${OTHER} ${n}` } });
    const answers = await Promise.all(Array.from({ length: 50 }, submit));
    expect(answers.filter(({ redirectsTo }) => redirectsTo === `${ORIGIN}/inside`)).toHaveLength(1);
    expect(memory.snapshot().credentials).toMatchObject([{ version: 1 }]);
  });

  it("voids older links after a newer one was used, and after the password changed", async () => {
    const { open, register, askReset, useLink, choose, change, mails } = startApp();
    const [browser, other] = [open(), open()];
    await register(browser);
    await askReset(other);
    const older = mails.at(-1);
    await askReset(other);
    const newer = mails.at(-1);
    await useLink(browser, {}, newer);
    expect((await useLink(other, {}, older)).redirectsTo).toContain("error=invalid-link");
    await askReset(other);
    const third = mails.at(-1);
    await choose(browser, OTHER);
    await askReset(other);
    const fourth = mails.at(-1);
    await change(browser, { current: OTHER, password: PASSWORD });
    for (const mail of [third, fourth])
      expect((await useLink(other, {}, mail)).redirectsTo).toContain("error=invalid-link");
  });

  it("leads to confirm-address for a row whose address was never proven, and sets no password there", async () => {
    const { open, askReset, useLink, memory, choose, userOf } = startApp();
    await memory.adapter.createUser?.({ id: "planted", email: EMAIL, emailVerified: null });
    const browser = open();
    await askReset(browser);
    expect((await useLink(browser)).redirectsTo).toBe(`${ORIGIN}/auth/confirm-address`);
    const page = await browser.navigate(CHOOSE);
    expect(await page.text()).not.toContain("new-password");
    await expect(choose(browser, OTHER)).rejects.toThrow();
    expect([memory.snapshot().credentials, await userOf(browser)]).toEqual([[], null]);
  });

  it("passes every extension: who is not admitted chooses no password", async () => {
    const gate = { closed: false };
    const admit = () => (gate.closed ? ({ refuse: "closed" } as const) : ({ admit: true } as const));
    const { open, register, askReset, useLink, memory } = startApp({
      config: { extensions: [defineExtension({ id: "gate", admit })] },
    });
    const browser = open();
    await register(open());
    const before = memory.snapshot();
    gate.closed = true;
    await askReset(browser);
    expect((await useLink(browser)).redirectsTo).toContain("error=AccessDenied");
    expect(await (await browser.navigate(CHOOSE)).text()).not.toContain("new-password");
    expect(memory.snapshot()).toEqual(before);
  });

  it("gives the right to choose to the user of the address alone", async () => {
    const { open, register, askReset, useLink, signIn, mails } = startApp();
    const browser = open();
    await register(open());
    await register(open(), "eve@example.com", OTHER);
    await askReset(browser);
    await useLink(browser, {}, mails.at(-1));
    await signIn(browser, "eve@example.com", OTHER);
    expect(await (await browser.navigate(CHOOSE)).text()).not.toContain("new-password");
  });

  it("keeps the link through an outage", async () => {
    const { open, register, askReset, useLink, memory } = startApp();
    const browser = open();
    await register(open());
    await askReset(browser);
    memory.fail({ method: "updateUser", throws: new Error("away"), times: Number.POSITIVE_INFINITY });
    await useLink(browser);
    memory.heal();
    expect((await useLink(browser)).redirectsTo).toBe(CHOOSE);
  });

  it("keeps the link when callbacks.signIn throws, which may be an outage, and not when it refuses", async () => {
    const answers: (boolean | Error)[] = [];
    const signIn = () => {
      const answer = answers.shift() ?? true;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const { open, register, askReset, useLink } = startApp({ config: { callbacks: { signIn } } });
    const browser = open();
    await register(open());
    await askReset(browser);
    answers.push(new Error("away"));
    expect((await useLink(browser)).redirectsTo).not.toBe(CHOOSE);
    answers.push(false);
    expect((await useLink(browser)).redirectsTo).toContain("AccessDenied");
    expect((await useLink(browser)).redirectsTo).toContain("invalid-link");
  });
});
