import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, expectAccessible, launchChromium, type Visitor, visit } from "./chromium.ts";
import { askForLink, choosePerson, expectMember, findLink, goToProvider, readAlert, typeLogin } from "./person.ts";
import { type RunningDemo, startDemo } from "./start-demo.ts";

describe("connecting accounts in the demo", () => {
  let demo: RunningDemo;
  let browser: Browser;
  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), launchChromium()]);
  });
  afterAll(async () => {
    await closeContexts(browser);
    expect(await demo.end()).toBe(0);
    expect(demo.output()).not.toContain("[error]");
  });

  const arrive = (): Promise<Visitor> => visit(browser, demo.url);
  const readAccounts = (page: Page) =>
    page.getByRole("region", { name: "Connected accounts" }).getByRole("listitem").allInnerTexts();

  async function signOut(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(`${demo.url}/`);
  }

  async function connectSecond(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Connect Second Provider" }).click();
    await page.waitForURL(/127\.0\.0\.1/);
  }

  it("connects a second provider to who is signed in, who is the same person through both then", async () => {
    const { page, leave } = await arrive();
    await page.goto("/members");
    await goToProvider(page);
    await choosePerson(page, "Ada Lovelace");
    await expectMember(page, "Ada Lovelace");
    await connectSecond(page);
    await page.getByRole("button", { name: "Use another account" }).click();
    await typeLogin(page, "countess@elsewhere.example");
    await expectMember(page, "Ada Lovelace");
    expect((await readAccounts(page)).map((text) => text.replace(/\s+/g, " "))).toEqual([
      "Local Provider Connected Your data at Local Provider",
      "Second Provider Connected Your data at Second Provider",
      expect.stringContaining("ada@example.com"),
    ]);
    await signOut(page);
    await page.goto("/members");
    await goToProvider(page, "Second Provider");
    await page.getByRole("button", { name: "Continue" }).click();
    await expectMember(page, "Ada Lovelace");
    await leave();
  });

  it("lets no one in through a second provider for an address that is another user's, and says how to come", async () => {
    const { page, leave } = await arrive();
    await page.goto("/members");
    await goToProvider(page);
    await choosePerson(page, "Alan Turing");
    await expectMember(page, "Alan Turing");
    await signOut(page);
    await page.goto("/members");
    await goToProvider(page, "Second Provider");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(/error=OAuthAccountNotLinked/);
    expect(await readAlert(page)).toMatch(/Sign in the way you originally signed up/);
    await expectAccessible(page);
    // As it says: then the second one can be connected.
    await goToProvider(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await expectMember(page, "Alan Turing");
    await connectSecond(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await expectMember(page, "Alan Turing");
    expect((await readAccounts(page))[1]).toContain("Connected");
    await leave();
  });

  it("does not give an account of another user to who is signed in", async () => {
    const [hedy, eve] = [await arrive(), await arrive()];
    for (const [{ page }, login] of [[hedy, "hedy"] as const, [eve, "eve"] as const]) {
      await page.goto("/members");
      await goToProvider(page, login === "hedy" ? "Second Provider" : "Local Provider");
      await typeLogin(page, login);
      await expectMember(page, login);
    }
    await connectSecond(eve.page);
    await eve.page.getByRole("button", { name: "Use another account" }).click();
    await typeLogin(eve.page, "hedy");
    await eve.page.waitForURL(/\/members\?problem/);
    expect(await readAlert(eve.page)).toMatch(/belongs to another member/);
    expect(await eve.page.getByRole("heading", { level: 1 }).textContent()).toBe("Hello, eve");
    await expectAccessible(eve.page);
    await hedy.page.reload();
    await expectMember(hedy.page, "hedy");
    await hedy.leave();
    await eve.leave();
  });

  it("gives the owner of an address a new account, and leaves the one that was there alone", async () => {
    const [squatter, owner] = [await arrive(), await arrive()];
    await squatter.page.goto("/members");
    await goToProvider(squatter.page);
    await typeLogin(squatter.page, "owner@example.com");
    await expectMember(squatter.page, "owner@example.com");
    expect((await readAccounts(squatter.page)).at(-1)).toContain("Not verified");
    await owner.page.goto("/members");
    await askForLink(owner.page, "owner@example.com");
    await (await findLink(owner.page, "owner@example.com")).click();
    await owner.page.waitForURL(/\/auth\/confirm-address/);
    await expectAccessible(owner.page);
    await owner.page.getByRole("button", { name: "Start fresh" }).click();
    await owner.page.getByRole("button", { name: "Create a new account" }).click();
    await owner.page.waitForURL(/\/members$/);
    expect((await readAccounts(owner.page)).at(-1)).toContain("Verified");
    expect((await readAccounts(owner.page))[0]).not.toContain("Connected");
    await squatter.leave();
    await owner.leave();
  });
});
