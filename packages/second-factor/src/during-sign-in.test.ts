/** A new password, while a sign-in with the former one waits for a second factor. */
import { type Browser, totpCode } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { EMAIL, OTHER, PASSWORD, startApp } from "../../providers-password/test/test-app.ts";
import { STRATEGIES } from "../test/open-application.ts";
import { recoveryCodes, secondFactor, totp } from "./index.ts";

/** An owner with a password, and something that is done once, during the next sign-in. */
async function start(strategy: "jwt" | "database") {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const signIn = async () => {
    const work = meanwhile;
    meanwhile = undefined;
    await work?.();
    return true;
  };
  const extensions = [secondFactor({ factors: [totp({ issuer: "Acme" }), recoveryCodes()] })];
  const app = startApp({ strategy, config: { extensions, callbacks: { signIn } } });
  const owner = app.open();
  await app.register(owner);
  const during = (work: () => Promise<unknown>) => {
    meanwhile = work;
  };
  return { ...app, owner, during };
}

/** Sends a form as a program does. */
async function post(browser: Browser, path: string, fields: Record<string, string>) {
  const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, ...fields });
  return (await browser.fetch(path, { method: "POST", body, headers: { "x-auth-return-redirect": "1" } })).json();
}

describe.each(STRATEGIES)("a password that is changed while a sign-in with it waits, %s sessions", (strategy) => {
  it("continues only with the password as it was when it was proven", async () => {
    const { owner, open, change, signIn, userOf, during } = await start(strategy);
    const { enrol } = await post(owner, "/auth/factors/totp", { step: "begin" });
    const code = await totpCode(enrol.secret);
    const confirmed = await post(owner, "/auth/factors/totp", { step: "confirm", setup: enrol.setup, code });
    const [first = "", second = ""]: readonly string[] = confirmed.recoveryCodes;
    const thief = open();
    during(() => change(owner, { current: PASSWORD, password: OTHER }));
    const asked = await signIn(thief, EMAIL, PASSWORD);
    const pending = new URL(asked.redirectsTo ?? "about:blank").searchParams.get("pending") ?? "";
    await post(thief, "/auth/factor/recovery", { pending, code: first });
    expect(await userOf(thief)).toBeNull();
    const next = open();
    const again = await signIn(next, EMAIL, OTHER);
    const waiting = new URL(again.redirectsTo ?? "about:blank").searchParams.get("pending") ?? "";
    await post(next, "/auth/factor/recovery", { pending: waiting, code: second });
    expect(await userOf(next)).toBe(EMAIL);
  });
});
