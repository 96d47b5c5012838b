import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, expectAccessible, launchChromium, type Visitor, visit } from "./chromium.ts";
import { askForLink, expectMember, findLink, linkForm } from "./person.ts";
import { type RunningDemo, startDemo } from "./start-demo.ts";

describe("signing in to the demo by e-mail", () => {
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

  const arrive = (options = {}): Promise<Visitor> => visit(browser, demo.url, options);

  /** Asks for a link in a browser, and gives the link of the mail. */
  async function ask({ page }: Visitor, address: string): Promise<string> {
    await page.goto("/members");
    await askForLink(page, address);
    return (await (await findLink(page, address)).getAttribute("href")) ?? "";
  }

  it("works in the browser that asked, at once", async () => {
    const person = await arrive();
    const { page, leave } = person;
    await page.goto("/members");
    await askForLink(page, "Katherine@Example.com ");
    await page.getByRole("link", { name: "Open the demo’s inbox" }).click();
    await page.getByRole("link", { name: /callback/ }).click();
    await expectMember(page, "member");
    const accounts = page.getByRole("region", { name: "Connected accounts" });
    expect(await accounts.textContent()).toContain("Link to katherine@example.comVerified");
    await leave();
  });

  it("works from the mail as a mail program shows it", async () => {
    const { page, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await askForLink(page, "dorothy@example.com");
    await page.goto("/inbox");
    await page.getByRole("link", { name: "View as HTML" }).first().click();
    await page.getByRole("link", { name: "Sign in" }).click();
    await expectMember(page, "member");
    await leave();
  });

  it("asks for one more click in another browser, and works there once", async () => {
    const [desktop, phone] = [await arrive(), await arrive()];
    const link = await ask(desktop, "mary@example.com");
    await phone.page.goto(link);
    expect(await phone.page.getByRole("heading", { level: 1 }).textContent()).toBe("Sign in with this link?");
    await expectAccessible(phone.page);
    await phone.page.getByRole("button", { name: "Sign in" }).click();
    await expectMember(phone.page, "member");
    await desktop.page.goto(link);
    await desktop.page.waitForURL(/error=Verification/);
    expect(await desktop.page.getByRole("heading", { level: 1 }).textContent()).toBe("This link has expired");
    await phone.page.reload();
    await expectMember(phone.page, "member");
    await phone.leave();
    await desktop.leave({ status: [403] });
  });

  it("is not used up by a scanner that opens every link first", async () => {
    const person = await arrive();
    const link = await ask(person, "barbara@example.com");
    for (const method of ["HEAD", "GET", "HEAD", "GET"]) {
      const seen = await fetch(link, { method, redirect: "manual" });
      expect([method, seen.status, seen.headers.get("location")]).toEqual([method, 200, null]);
      expect(seen.headers.getSetCookie().filter((cookie) => cookie.includes("session-token"))).toEqual([]);
    }
    await person.page.goto(link);
    await expectMember(person.page, "member");
    await person.leave();
  });

  it("makes one person of an address, however they come", async () => {
    const first = await arrive();
    await first.page.goto(await ask(first, "joan@example.com"));
    await first.page.getByLabel("Display name").fill("Joan Clarke");
    await first.page.getByRole("button", { name: "Save" }).click();
    await expectMember(first.page, "Joan Clarke");
    const second = await arrive();
    await second.page.goto(await ask(second, "JOAN@example.com"));
    await expectMember(second.page, "Joan Clarke");
    await first.leave();
    await second.leave();
  });

  it("says what to do about an address that is not valid", async () => {
    const { page, leave } = await arrive({ javaScriptEnabled: false });
    await page.goto("/auth/signin/nodemailer?callbackUrl=/members");
    await linkForm(page).getByLabel("E-mail address").fill("joan@example.com,eve@example.com");
    await page.getByRole("button", { name: "Send a sign-in link" }).click();
    // Chromium refuses it by itself; a browser that does not is told by the page.
    expect(new URL(page.url()).search).toBe("?callbackUrl=/members");
    await page.goto("/auth/signin?error=EmailSignin");
    expect(await page.getByRole("alert").textContent()).toMatch(/Check the address/);
    await leave();
  });
});
