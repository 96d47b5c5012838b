import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectAccessible, launchChromium, takePicture } from "./chromium.ts";
import { type RunningNext, startNextDemo } from "./next-start.ts";
import { visitNext } from "./next-visit.ts";
import { askForLink, signInWithPassword } from "./person.ts";

const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ["light", { colorScheme: "light", viewport: { width: 1280, height: 800 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1280, height: 800 } }],
  ["phone", { colorScheme: "light", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ["phone-dark", { colorScheme: "dark", viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }],
];

let demo: RunningNext;
let browser: Browser;
beforeAll(async () => {
  [demo, browser] = await Promise.all([startNextDemo(), launchChromium()]);
});
afterAll(() => Promise.all([browser.close(), demo.end()]));

describe.each(LOOKS)("the pages of the Next.js demo, %s", (look, options) => {
  /** Takes a picture of a page, and fails when a person could not use it. */
  async function inspect(page: Page, name: string): Promise<void> {
    await takePicture(page, `next-${name}-${look}`);
    await expectAccessible(page);
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect([page.url(), overflow]).toEqual([page.url(), 0]);
  }

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
