import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** What a person does on the pages, by what they read there. */

/** Types an address or user name in the first step of the built-in page, if the page has one and does not show its methods already. */
export async function typeIdentifier(page: Page, identifier: string): Promise<void> {
  const shown = page.locator(".who bdi");
  if ((await shown.count()) > 0) {
    if ((await shown.textContent()) === identifier) return;
    await page.getByRole("button", { name: "Change", exact: true }).click();
  }
  const field = page.getByLabel("E-mail address or user name");
  if ((await field.count()) === 0) return;
  await field.fill(identifier);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

/** Types the demo's credentials on the sign-in page and sends them. */
export async function signInWithPassword(page: Page, password = "nanosecond"): Promise<void> {
  await typeIdentifier(page, "grace");
  const name = page.getByLabel("User name", { exact: true });
  if ((await name.count()) > 0) await name.fill("grace");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: /^Sign in(?: with a password)?$/ }).click();
}

/** The form that asks for a link by e-mail; there is another address on the page, that of a passkey. */
export function linkForm(page: Page): Locator {
  return page.locator("form").filter({ has: page.getByRole("button", { name: "Send a sign-in link" }) });
}

/** Asks for a link by e-mail on the sign-in page, and reads that it is on its way. */
export async function askForLink(page: Page, address: string): Promise<void> {
  await typeIdentifier(page, address);
  const field = linkForm(page).getByLabel("E-mail address");
  if ((await field.count()) > 0) await field.fill(address);
  await page.getByRole("button", { name: "Send a sign-in link" }).click();
  await page.waitForURL(/\/check-mail/);
}

/** The link in the newest mail to an address, on the demo's inbox. */
export async function findLink(page: Page, address: string): Promise<Locator> {
  await page.goto("/inbox");
  return page
    .getByRole("listitem")
    .filter({ hasText: address })
    .first()
    .getByRole("link", { name: /callback/ });
}

/** Goes from the sign-in page to a provider. */
export async function goToProvider(page: Page, name = "Local Provider"): Promise<void> {
  await page.getByRole("button", { name: `Sign in with ${name}` }).click();
  await page.waitForURL(/127\.0\.0\.1/);
}

/** Chooses a person at the provider and goes on. */
export async function choosePerson(page: Page, name: string): Promise<void> {
  await page.getByRole("radio", { name: new RegExp(name) }).check();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Types a login at the provider, whom no one there has seen before, and goes on. */
export async function typeLogin(page: Page, login: string): Promise<void> {
  await page.getByLabel("Or type any login").fill(login);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Fails unless this is the members' page of that person. */
export async function expectMember(page: Page, name: string): Promise<void> {
  await page.waitForURL(/\/members$/);
  // Going on sooner would break off what the page still loads.
  await page.waitForLoadState();
  await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe(`Hello, ${name}`);
}

/** What a page says that went wrong. */
export async function readAlert(page: Page): Promise<string> {
  return (await page.getByRole("alert").textContent()) ?? "";
}
