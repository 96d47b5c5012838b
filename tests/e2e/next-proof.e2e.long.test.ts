/** Passphrases, second factors and fresh proofs in the Next.js demo: without script wherever no passkey is involved. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, launchChromium } from "./chromium.ts";
import { plugIn, untilOffered } from "./device.ts";
import { type RunningNext, startNextDemo } from "./next-start.ts";
import { type NextVisitor, visitNext } from "./next-visit.ts";
import {
  alert,
  FIRST,
  look as lookAs,
  newAddress,
  openFactors,
  openMail,
  PATIENCE_MS,
  press,
  register,
  SECOND,
  setUpApp,
  signInBy,
  title,
  WITHOUT_SCRIPT,
} from "./proof-steps.ts";

let demo: RunningNext;
let browser: Browser;
beforeAll(async () => {
  [demo, browser] = await Promise.all([startNextDemo(), launchChromium()]);
});
afterAll(async () => {
  await Promise.all([closeContexts(browser), demo.end()]);
  expect(demo.output()).not.toContain("[error]");
});

async function arrive(options = {}): Promise<NextVisitor> {
  const visitor = await visitNext(browser, demo.url, options);
  visitor.context.setDefaultTimeout(PATIENCE_MS);
  return visitor;
}
const look = (page: Page, name: string, hasScript: boolean) => lookAs(page, `next-proof-${name}`, hasScript);
const signIn = (page: Page, address: string, passphrase: string) => signInBy(page, address, passphrase, "/sign-in");

async function expectMember(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "Hello, member" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/members");
}

async function signOut(page: Page): Promise<void> {
  await page.goto("/members");
  await press(page, "Sign out");
  await page.waitForURL(`${demo.url}/`);
}

describe("the Next.js demo without script", { timeout: 5 * PATIENCE_MS }, () => {
  it("registers, opens the safe, proves a second factor, and resets the passphrase", async () => {
    const { page, leave } = await arrive(WITHOUT_SCRIPT);
    const address = newAddress("ada");
    await register(page, address, "/sign-in");
    await expectMember(page);

    await press(page, "Open the safe");
    expect(page.url()).toContain("/api/auth/step-up?level=safe");
    await look(page, "step-up", false);
    await page.getByLabel("Password").fill("not the passphrase");
    await press(page, "Confirm with your password");
    expect(await alert(page)).toBe("The current password is incorrect.");
    await page.getByLabel("Passphrase").fill(FIRST);
    await press(page, "Confirm");
    await page.getByRole("heading", { name: "The safe" }).waitFor();
    await look(page, "safe", false);

    await page.goto("/api/auth/factors");
    await expect
      .poll(() => title(page), { message: "the safe's proof is fresh enough for the settings" })
      .toBe("Two-step verification");
    await press(page, "Add an authenticator app");
    const { codes } = await setUpApp(page);
    await signOut(page);
    await signIn(page, address, SECOND);
    expect(await alert(page)).toBe("Those details are incorrect.");
    await signIn(page, address, FIRST);
    await expect.poll(() => title(page)).toBe("Two-step verification");
    await page.goto("/members");
    expect(page.url(), "no one is signed in yet").toContain("/sign-in");
    await page.goto("/api/auth/factor");
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await press(page, "Use recovery code");
    await expectMember(page);

    await signOut(page);
    await page.goto("/sign-in?callbackUrl=/members");
    await page.getByRole("link", { name: "Forgot your passphrase?" }).click();
    await page.getByLabel("Account address").fill(address);
    await press(page, "Send link");
    await openMail(page, address, /reset/);
    await press(page, "Continue");
    await expect
      .poll(() => title(page), { message: "the reset does not skip the second factor" })
      .toBe("Two-step verification");
    await page.getByLabel("Recovery code").fill(codes[1] ?? "");
    await press(page, "Use recovery code");
    await expect.poll(() => title(page)).toBe("Choose a new password");
    await page.getByLabel("New password").fill(SECOND);
    await press(page, "Save password");
    await expectMember(page);
    await leave();
  });
});

describe("the Next.js demo with a passkey", { timeout: 5 * PATIENCE_MS }, () => {
  it("signs what is shown, in a window, and another amount is refused", async () => {
    const { page, context, leave } = await arrive();
    const device = await plugIn(page);
    await page.goto("/sign-in?callbackUrl=/members");
    await page.getByLabel("E-mail address of your passkey").fill(newAddress("kay"));
    await untilOffered(page);
    await device.touch(true);
    await press(page, "Create an account with a passkey");
    await expectMember(page);
    await look(page, "members", true);
    const [credential] = await device.credentials();
    if (credential === undefined) throw new Error("The device keeps no passkey.");
    const opened = context.waitForEvent("page");
    await press(page, "Send");
    const popup = await opened;
    const own = await plugIn(popup);
    await own.add(credential);
    expect(await popup.locator("dl").textContent()).toBe("amount in euros100toNL91 ABNA 0417 1643 00");
    await look(popup, "bind", true);
    await own.touch(true);
    await press(popup, "Confirm with a passkey");
    await page.getByText("You sent €100 to NL91 ABNA 0417 1643 00.").waitFor();
    const other = await page.evaluate(async () => {
      const body = JSON.stringify({ amount: 900, to: "NL91 ABNA 0417 1643 00" });
      const response = await fetch("/api/transfer", { method: "POST", body });
      await response.text();
      return response.status;
    });
    expect(other, "another amount").toBe(401);
    await leave({ status: [401] });
  });
});

describe("every page of it in the Next.js demo", { timeout: 5 * PATIENCE_MS }, () => {
  it("is accessible, in both schemes and on a phone", async () => {
    const { page, leave } = await arrive();
    const address = newAddress("grace");
    await page.goto("/api/auth/register/passphrase");
    await look(page, "register", true);
    await page.goto("/api/auth/reset/passphrase");
    await look(page, "reset", true);
    await page.goto("/sign-in");
    await look(page, "sign-in", true);
    await register(page, address, "/sign-in");
    await expectMember(page);
    await page.goto("/api/auth/password");
    await look(page, "password", true);
    await openFactors(page, "/api/auth");
    await press(page, "Add an authenticator app");
    await look(page, "enrol", true);
    await setUpApp(page);
    await look(page, "codes", true);
    await page.goto("/members/safe");
    await page.getByRole("heading", { name: "The safe" }).waitFor();
    await look(page, "safe-with-script", true);
    await page.goto("/api/auth/factors");
    await look(page, "factors", true);
    await signOut(page);
    await signIn(page, address, FIRST);
    await page.waitForURL(/\/api\/auth\/factor/);
    await look(page, "factor", true);
    await leave();
  });
});
