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

  it("show a password where the caret stays, and hide it before it is sent", async () => {
    const context = await browser.newContext({ baseURL: pages.url, locale: "en-GB" });
    const page = await context.newPage();
    await page.goto("/many/register/password");
    const field = page.getByLabel("Password", { exact: true });
    const button = page.getByRole("button", { name: "Show password" });
    const at = `document.getElementById("field-password")`;
    const state = () => page.evaluate(`[${at}.type, ${at}.selectionStart, document.activeElement === ${at}].join()`);
    await field.fill("purple monkey");
    await page.keyboard.press("ArrowLeft");
    await button.click();
    expect([await state(), await button.getAttribute("aria-pressed")]).toEqual(["text,12,true", "true"]);
    await button.click();
    expect([await state(), await button.getAttribute("aria-pressed")]).toEqual(["password,12,true", "false"]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    expect(await state()).toBe("text,12,false");
    // The browser shows what is missing, and sends nothing.
    await page.evaluate(`${at}.form.dispatchEvent(new Event("submit"))`);
    expect(await state()).toBe("password,12,false");
    await context.close();
  });

  it("move nothing when their script runs, and look the same without one but for what it adds", async () => {
    const boxes = async (javaScriptEnabled: boolean) => {
      const context = await browser.newContext({ baseURL: pages.url, javaScriptEnabled });
      const page = await context.newPage();
      await page.goto("/many/register/password");
      const all = await page.locator("main, label, input, .main").all();
      const found = await Promise.all(all.map((one) => one.boundingBox()));
      const count = await page.getByRole("button", { name: "Show password" }).count();
      await context.close();
      return { found, count };
    };
    const [plain, scripted] = [await boxes(false), await boxes(true)];
    expect([plain.count, scripted.count]).toEqual([0, 1]);
    expect(scripted.found).toEqual(plain.found);
  });
});
