import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { share } from "../../packages/testing/src/long-form.ts";
import { closeContexts, launchChromium } from "./chromium.ts";
import { type RunningNext, shareNextApp } from "./next-start.ts";
import { visitNext } from "./next-visit.ts";

let app: RunningNext;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([shareNextApp(), launchChromium()]);
});
afterAll(() => closeContexts(browser));

describe.each(share(["/component", "/edge-component"], 2, 0))("server actions with scripts, on %s", (path) => {
  it("sign in and come back to the page, change the session, sign out", async () => {
    const { page, context, leave } = await visitNext(browser, app.url);
    await page.goto(`${path}?a=1`);
    await page.getByLabel("User name").fill("Ann");
    await page.getByLabel("Password").fill("correct");
    await page.getByRole("button", { name: "enter" }).click();
    await page.getByText('session={"name":"Ann"').first().waitFor();
    expect(page.url()).toBe(`${app.url}${path}?a=1`);
    await page.getByLabel("Nick").fill("Annie");
    await page.getByRole("button", { name: "update" }).click();
    await page.getByText('"nick":"Annie"').first().waitFor();
    expect(await page.getByText('"nick":null').count()).toBe(0);
    await page.getByRole("button", { name: "leave" }).click();
    await page.getByText("session=null").first().waitFor();
    expect((await context.cookies()).filter(({ name }) => name.includes("session-token"))).toEqual([]);
    await page.getByRole("button", { name: "page" }).click();
    await page.waitForURL((url) => url.pathname === "/api/auth/signin");
    // The icon that browsers ask for is not public here.
    await leave({ status: [401] });
  });
});
