// Both examples: what a provider's API says of a member, and a sign-out that goes on there. The provider is the demo's own.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, launchChromium, visit } from "./chromium.ts";
import { inspect } from "./looks.ts";
import { startNextDemo } from "./next-start.ts";
import { visitNext } from "./next-visit.ts";
import { choosePerson, goToProvider, signInWithPassword } from "./person.ts";
import { startDemo } from "./start-demo.ts";

interface Example {
  readonly url: string;
  readonly output: () => string;
  end(): Promise<unknown>;
}

/** Each with its pages. */
const EXAMPLES = [
  { name: "express", start: startDemo, arrive: visit, data: "/profile/local", link: "Your data at Local Provider" },
  { name: "next", start: startNextDemo, arrive: visitNext, data: "/members/provider", link: "At the provider" },
] as const;

describe.each(EXAMPLES)(
  "the tokens and the session of a provider in examples/$name",
  ({ name, start, arrive, data, link }) => {
    let demo: Example;
    let browser: Browser;
    beforeAll(async () => {
      [demo, browser] = await Promise.all([start(), launchChromium()]);
    });
    afterAll(async () => {
      await Promise.all([closeContexts(browser), demo.end()]);
      expect(demo.output()).not.toContain("[error]");
    });

    const enter = async (page: Page) => {
      await page.goto("/members");
      await goToProvider(page);
      await choosePerson(page, "Ada Lovelace");
      await page.waitForURL((url) => url.pathname === "/members");
    };

    it("shows what the provider's API says, and no token", async () => {
      const { page, context, leave } = await arrive(browser, demo.url);
      const seen: string[] = [];
      page.on("response", async (response) => {
        if (response.url().startsWith(demo.url)) seen.push(await response.text().catch(() => ""));
      });
      await enter(page);
      await page.getByRole("link", { name: link }).click();
      await page.waitForURL((url) => url.pathname === data);
      const shown = page.getByRole("region", { name: "You at Local Provider" });
      await expect.poll(() => shown.textContent()).toContain("ada@example.com");
      await inspect(page, `${name}-at-the-provider`, "light");
      const cookies = (await context.cookies()).map(({ value }) => value);
      expect(`${seen.join()} ${cookies.join()}`).not.toMatch(/access_token|refresh_token/);
      await leave();
    });

    it("asks for consent where a member came another way", async () => {
      const { page, leave } = await arrive(browser, demo.url);
      await page.goto("/members");
      await signInWithPassword(page);
      await page.waitForURL((url) => url.pathname === "/members");
      await page.goto(data);
      await page.getByRole("button", { name: "Ask Local Provider" }).waitFor();
      await inspect(page, `${name}-consent`, "light");
      await leave();
    });

    it("signs out at the provider as well, where the member asks for it, and comes back", async () => {
      const { page, leave } = await arrive(browser, demo.url);
      await enter(page);
      await page.getByRole("button", { name: "Sign out here and at the provider" }).click();
      await page.waitForURL(/session\/end/);
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await page.waitForURL((url) => url.href === `${demo.url}/`);
      // Neither knows the user any more: the provider has no one remembered, who would be chosen already.
      await page.goto("/members");
      await page.getByRole("button", { name: "Sign in with Local Provider" }).waitFor();
      await leave();
    });
  },
);
