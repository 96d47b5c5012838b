import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { share } from "../../packages/testing/src/long-form.ts";
import { JOURNEYS, startPages } from "./built-in-pages.ts";
import { closeContexts, expectAccessible, launchChromium } from "./chromium.ts";

/** `pnpm screenshots` also takes a picture of every page in each of these. */
const FOLDER =
  process.env.CARDEA_SCREENSHOTS === undefined ? null : fileURLToPath(new URL("artifacts/pages", import.meta.url));
const LOOKS = [
  ["1280-light", { width: 1280, height: 800 }, "light"],
  ["1280-dark", { width: 1280, height: 800 }, "dark"],
  ["390-dark", { width: 390, height: 844 }, "dark"],
  ["390-light", { width: 390, height: 844 }, "light"],
] as const;

let pages: Awaited<ReturnType<typeof startPages>>;
let browser: Browser;
beforeAll(async () => {
  [pages, browser] = await Promise.all([startPages(), launchChromium()]);
  if (FOLDER !== null) mkdirSync(FOLDER, { recursive: true });
});
afterAll(async () => {
  await closeContexts(browser);
  await pages.end();
});

let inspected = 0;

/** Axe, and no overflow in the narrowest window: in the long form in both colours, otherwise in one of them by turns. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const [look, viewport, colorScheme] of FOLDER === null ? [] : LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `${FOLDER}/${name}-${look}.png`, fullPage: name !== "huge" });
  }
  for (const colorScheme of share(["dark", "light"] as const, 2, inspected++)) {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(overflow, `overflow of ${name}`).toBe(0);
    await expectAccessible(page);
  }
}

describe("built-in pages", () => {
  for (const journey of JOURNEYS) {
    it(`can be used by everyone: ${journey.map(([name]) => name).join(", ")}`, async () => {
      const context = await browser.newContext({ baseURL: pages.url, locale: "en-GB" });
      const page = await context.newPage();
      await page.goto("/");
      for (const [name, open] of journey) {
        await open(page);
        await inspect(page, name);
      }
      await context.close();
    });
  }

  it("sign in in two steps without a script, and keep what was typed", async () => {
    const context = await browser.newContext({ baseURL: pages.url, locale: "en-GB", javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/many/signin?callbackUrl=/");
    await page.getByLabel("E-mail address").fill("ann@example.com");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    expect(await page.getByRole("alert").textContent()).toContain("incorrect");
    expect(await page.locator(".who bdi").textContent()).toBe("ann@example.com");
    await page.getByRole("button", { name: "Send a sign-in link" }).click();
    expect(await page.locator("main").textContent()).toContain("ann@example.com");
    await page.getByRole("button", { name: "Use another address" }).click();
    expect(await page.getByLabel("E-mail address").inputValue()).toBe("ann@example.com");
    expect(page.url()).not.toContain("ann");
    await context.close();
  });
});
