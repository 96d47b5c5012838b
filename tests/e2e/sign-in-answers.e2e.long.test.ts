// What the pages of sign-in answer, in a browser. tests/e2e/sign-in.e2e.test.ts has what needs one.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, launchChromium, type Visitor, visit } from "./chromium.ts";
import { expectMember, goToProvider, readAlert, signInWithPassword } from "./person.ts";
import { type RunningDemo, startDemo } from "./start-demo.ts";

describe("the pages of sign-in of the demo", () => {
  let demo: RunningDemo;
  let browser: Browser;
  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), launchChromium()]);
  });
  afterAll(() => Promise.all([closeContexts(browser), demo.end()]));

  const arrive = (): Promise<Visitor> => visit(browser, demo.url);

  it("takes a user name and password", async () => {
    const { page, leave } = await arrive();
    await page.goto("/");
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await leave();
  });

  it("says that a password is wrong, and takes the right one then", async () => {
    const { page, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await signInWithPassword(page, "picosecond");
    expect(await readAlert(page)).toMatch(/details are incorrect/);
    expect(await page.getByLabel("Password").inputValue()).toBe("");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await leave();
  });

  it("lets no one in who cancels at the provider", async () => {
    const { page, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await goToProvider(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForURL(/\/auth\/error\?error=AccessDenied/);
    await page.getByRole("link", { name: "Go to sign-in" }).click();
    await page.goto("/members");
    expect(new URL(page.url()).pathname).toBe("/auth/signin");
    await leave({ status: [403] });
  });
});
