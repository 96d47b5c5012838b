import type { Page } from "playwright-core";
import { expect } from "vitest";

/** What a person does on the pages, by what they read there. */

/** Types the demo's credentials on the sign-in page and sends them. */
export async function signInWithPassword(page: Page, password = "nanosecond"): Promise<void> {
  await page.getByLabel("User name").fill("grace");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Goes from the sign-in page to the provider. */
export async function goToProvider(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign in with Local Provider" }).click();
  await page.waitForURL(/127\.0\.0\.1/);
}

/** Chooses a person at the provider and goes on. */
export async function choosePerson(page: Page, name: string): Promise<void> {
  await page.getByRole("radio", { name: new RegExp(name) }).check();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Fails unless this is the members' page of that person. */
export async function expectMember(page: Page, name: string): Promise<void> {
  await page.waitForURL(/\/members$/);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(`Hello, ${name}`);
}

/** What a page says that went wrong. */
export async function readAlert(page: Page): Promise<string> {
  return (await page.getByRole("alert").textContent()) ?? "";
}
