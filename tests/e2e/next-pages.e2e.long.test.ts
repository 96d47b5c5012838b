import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { closeContexts, launchChromium } from "./chromium.ts";
import { DEVICES, inspect as inspectAs } from "./looks.ts";
import { type RunningNext, startNextDemo } from "./next-start.ts";
import { visitNext } from "./next-visit.ts";
import { askForLink, signInWithPassword } from "./person.ts";

let demo: RunningNext;
let browser: Browser;
beforeAll(async () => {
  [demo, browser] = await Promise.all([startNextDemo(), launchChromium()]);
});
afterAll(() => Promise.all([closeContexts(browser), demo.end()]));

describe.each(DEVICES)("the pages of the Next.js demo, %s", (look, options) => {
  const inspect = (page: Page, name: string) => inspectAs(page, `next-${name}`, look);

  it("can be used by everyone", async () => {
    const { page, leave } = await visitNext(browser, demo.url, options);
    await page.goto("/");
    await inspect(page, "home");
    await page.goto("/inbox");
    await page.goto("/sign-in?callbackUrl=/members");
    await inspect(page, "sign-in");
    await askForLink(page, "ada@example.com");
    await inspect(page, "check-mail");
    await page.goto("/inbox");
    await inspect(page, "inbox");
    await page.goto("/sign-in?callbackUrl=/members&error=OAuthCallbackError");
    await signInWithPassword(page, "wrong");
    await page.getByRole("alert").filter({ hasText: "are incorrect" }).waitFor();
    await inspect(page, "sign-in-problem");
    await signInWithPassword(page);
    await page.waitForURL((url) => url.pathname === "/members");
    await page.getByRole("heading", { level: 1, name: "Hello" }).waitFor();
    await inspect(page, "members");
    for (const path of ["/members/live", "/classic", "/", "/nowhere"]) {
      await page.goto(path);
      await inspect(page, `member${path.replaceAll("/", "-")}`);
    }
    await leave({ status: [404] });
  });
});
