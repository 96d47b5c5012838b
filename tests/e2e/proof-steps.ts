/** What a person does on the pages of passphrases, second factors and fresh proofs; the same in every example. */
import { randomUUID } from "node:crypto";
import { totpCode } from "@cardea/testing";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, takePicture } from "./chromium.ts";
import { typeIdentifier } from "./person.ts";

/** Hashes of passphrases are dear, and a busy machine takes long for the first ones. */
export const PATIENCE_MS = 120_000;

export const WITHOUT_SCRIPT = { javaScriptEnabled: false };
export const FIRST = "seven green bicycles sing";
export const SECOND = "eleven quiet lighthouses";

/** Of a user who has never been there, also when a test is tried again. */
export const newAddress = (name: string) => `${name}-${randomUUID().slice(0, 8)}@example.com`;
export const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
export const title = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();
// Next.js has an alert of its own, which is empty.
export const alert = (page: Page) => page.getByRole("alert").filter({ hasText: /./ }).textContent();

/** Looks at a page in both schemes on a phone and a desk, where axe can run; the pictures are for people. */
export async function look(page: Page, name: string, hasScript: boolean): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // Without motion: a colour on its way to the other scheme is in neither.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await takePicture(page, `${name}-${colorScheme}-${width}`);
    }
    if (hasScript) await expectAccessible(page);
  }
}

/** Opens the link of the newest message to an address. */
export async function openMail(page: Page, address: string, name: RegExp): Promise<void> {
  const mail = page.getByRole("listitem").filter({ hasText: address }).first().getByRole("link", { name });
  // It is sent after the answer.
  await expect
    .poll(
      async () => {
        await page.goto("/inbox");
        return mail.isVisible();
      },
      { timeout: PATIENCE_MS },
    )
    .toBe(true);
  await mail.click();
}

/** Registers from the sign-in page, and arrives at the members' page. */
export async function register(page: Page, address: string, signIn: string): Promise<void> {
  await page.goto(`${signIn}?callbackUrl=/members`);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Account address").fill(address);
  await page.getByLabel("Passphrase").fill(FIRST);
  await press(page, "Create account");
  await expect.poll(() => title(page)).toBe("Check your e-mail");
  await openMail(page, address, /register/);
  await press(page, "Confirm");
  await page.waitForURL(/\/members$/);
}

/** Types a passphrase on the sign-in page, which asks for the address first where there are several methods. */
export async function signInBy(page: Page, address: string, passphrase: string, signIn: string): Promise<void> {
  await page.goto(`${signIn}?callbackUrl=/members`);
  await typeIdentifier(page, address);
  const method = page.locator("summary").filter({ hasText: "Sign in with a passphrase" });
  if ((await method.count()) > 0) await method.click();
  const form = page.locator("form").filter({ has: page.getByLabel("Passphrase", { exact: true }) });
  const field = form.getByLabel("Account address");
  if ((await field.count()) > 0) await field.fill(address);
  await form.getByLabel("Passphrase", { exact: true }).fill(passphrase);
  await form.getByRole("button", { name: /^Sign in/ }).click();
}

/** The page of factors asks for the level `settings` first, which a link does not prove. */
export async function openFactors(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/factors`);
  await expect.poll(() => title(page)).toBe("Confirm it’s you");
  await page.getByLabel("Password").fill(FIRST);
  await press(page, "Confirm with your password");
  await expect.poll(() => title(page)).toBe("Two-step verification");
}

/** Sets up an authenticator app on the page that asks for it; returns its secret and the recovery codes. */
export async function setUpApp(page: Page): Promise<{ secret: string; codes: readonly string[] }> {
  const secret = ((await page.locator(".hint code").textContent()) ?? "").replaceAll(" ", "");
  // The code of the step before, so that the one of now is still good afterwards. It is good until this step ends.
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left));
  await page.getByLabel("Code", { exact: true }).fill(await totpCode(secret, Date.now() - 30_000));
  await press(page, "Turn on");
  await expect.poll(() => title(page)).toBe("Save your recovery codes");
  return { secret, codes: await page.locator("li code").allTextContents() };
}
