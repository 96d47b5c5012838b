import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, launchChromium } from "./chromium.ts";
import { NEXT_SHOP, type RunningNext, startNextApp } from "./next-start.ts";
import { visitNext } from "./next-visit.ts";

let app: RunningNext;
let browser: Browser;
beforeAll(async () => {
  const env = { AUTH_SECRET: "a secret of more than thirty-two bytes for tests", AUTH_TRUST_HOST: "true" };
  [app, browser] = await Promise.all([startNextApp(env, NEXT_SHOP), launchChromium()]);
});
afterAll(() => Promise.all([closeContexts(browser), app.end()]));

describe("a browser below a path of Next.js", () => {
  it("signs in and out from a client component, and sees the session", async () => {
    const { page, leave } = await visitNext(browser, app.url);
    await page.goto("/shop/live");
    await page.getByText("unauthenticated null").waitFor();
    await page.getByRole("button", { name: "enter" }).click();
    await page.getByText('authenticated {"name":"Ann"').waitFor();
    await page.goto("/shop/guarded");
    await page.getByText("SECRET").waitFor();
    await page.goto("/shop/live");
    await page.getByRole("button", { name: "leave" }).click();
    await page.getByText("unauthenticated null").waitFor();
    await page.getByRole("button", { name: "page" }).click();
    await page.waitForURL((url) => url.pathname === "/shop/api/auth/signin");
    expect(new URL(page.url()).searchParams.get("callbackUrl")).toBe(`${app.url}/shop/live`);
    await leave({ status: [401, 404] });
  });

  it("signs in and out by server actions with scripts, and stays on its page", async () => {
    const { page, leave } = await visitNext(browser, app.url);
    await page.goto("/shop/component?a=1");
    await page.getByLabel("User name").fill("Ann");
    await page.getByLabel("Password").fill("correct");
    await page.getByRole("button", { name: "enter" }).click();
    await page.getByText('session={"name":"Ann"').first().waitFor();
    expect(page.url()).toBe(`${app.url}/shop/component?a=1`);
    await page.getByRole("button", { name: "page" }).click();
    await page.waitForURL((url) => url.pathname === "/shop/api/auth/signin");
    await leave({ status: [401, 404] });
  });
});
