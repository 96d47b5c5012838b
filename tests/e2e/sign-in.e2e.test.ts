import { once } from "node:events";
import { createServer } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, launchChromium, type Visitor, visit } from "./chromium.ts";
import {
  choosePerson,
  expectMember,
  goToProvider,
  readAlert,
  signInWithPassword,
  typeIdentifier,
  typeLogin,
} from "./person.ts";
import { type RunningDemo, startDemo } from "./start-demo.ts";

describe("signing in to the demo", () => {
  let demo: RunningDemo;
  let browser: Browser;
  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), launchChromium()]);
  });
  afterAll(async () => {
    await closeContexts(browser);
    expect(await demo.end()).toBe(0);
    // Nothing that people did here is a problem of the operator's.
    expect(demo.output()).not.toContain("[error]");
  });

  const arrive = (options = {}): Promise<Visitor> => visit(browser, demo.url, options);

  it("leads a stranger from the members' page through the provider, and back to it", async () => {
    const { page, leave } = await arrive();
    await page.goto("/members");
    expect(new URL(page.url()).pathname).toBe("/auth/signin");
    await goToProvider(page);
    await choosePerson(page, "Ada Lovelace");
    await expectMember(page, "Ada Lovelace");
    expect(await page.getByRole("region", { name: "Your session" }).first().textContent()).toContain("ada@example.com");
    await page.reload();
    await expectMember(page, "Ada Lovelace");
    await leave();
  });

  it("asks to sign in again once the session has expired, and goes on where the person was", async () => {
    const { page, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    const cookies = await page.context().cookies();
    const session = cookies.filter(({ name }) => name.endsWith("cardea.session-token"));
    expect(session).toHaveLength(1);
    await page.context().addCookies(session.map((cookie) => ({ ...cookie, expires: 1 })));
    await page.goto("/members");
    expect(new URL(page.url()).pathname).toBe("/auth/signin");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await leave();
  });

  it("finishes two sign-ins that were begun in two tabs, each on its own page", async () => {
    const { page: first, newTab, leave } = await arrive();
    const second = await newTab();
    await first.goto("/auth/signin?callbackUrl=/members");
    await second.goto("/auth/signin?callbackUrl=/");
    await goToProvider(first);
    await goToProvider(second);
    await choosePerson(second, "Alan Turing");
    await second.waitForURL(`${demo.url}/`);
    expect(await second.getByRole("heading", { level: 1 }).textContent()).toBe("Welcome back, Alan Turing");
    await typeLogin(first, "hedy");
    await expectMember(first, "hedy");
    await second.reload();
    expect(await second.getByRole("heading", { level: 1 }).textContent()).toBe("Welcome back, hedy");
    await leave();
  });

  it("signs out, and the members' page is closed again, by the back button as well", async () => {
    const { page, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(`${demo.url}/`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^One door/);
    await page.goBack();
    await page.waitForURL(/\/auth\/signin/);
    await leave();
  });

  it("signs out in one tab, and in another that is open everything asks to sign in again", async () => {
    const { page, newTab, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    const [reader, writer] = [await newTab(), await newTab()];
    for (const tab of [reader, writer]) await tab.goto("/members");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(`${demo.url}/`);
    await writer.getByLabel("Display name").fill("Another name");
    await writer.getByRole("button", { name: "Save" }).click();
    await writer.waitForURL(/\/auth\/signin/);
    await reader.getByRole("button", { name: "Sign out", exact: true }).click();
    await reader.waitForURL(`${demo.url}/`);
    await reader.goto("/members");
    await reader.waitForURL(/\/auth\/signin/);
    await signInWithPassword(reader);
    await expectMember(reader, "Grace Hopper");
    await leave();
  });

  it("signs out by the library's own page", async () => {
    const { page, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await page.goto("/auth/signout?callbackUrl=/");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(`${demo.url}/`);
    expect(await page.getByRole("banner").getByRole("link", { name: "Sign in" }).count()).toBe(1);
    await leave();
  });

  it("gives a fresh form to anyone who left one open until its cookie was gone", async () => {
    const { page, context, leave } = await arrive();
    for (const send of [
      () => typeIdentifier(page, "grace"),
      () => page.getByRole("button", { name: /Local/ }).click(),
    ]) {
      await page.goto("/auth/signin?callbackUrl=/members");
      await context.clearCookies();
      await send();
      await page.waitForURL(/error=/);
      expect(await readAlert(page)).toMatch(/[Tt]ry again/);
    }
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await leave();
  });

  it("asks once more before it signs out by a form that was open for too long", async () => {
    const { page, context, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await page.goto("/auth/signout");
    await context.clearCookies({ name: "cardea.csrf-token" });
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    expect(await page.getByText(/still signed in/).count()).toBe(1);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(`${demo.url}/`);
    await leave({ status: [403] });
  });

  it("calls people what they like, in every tab", async () => {
    const { page, newTab, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await signInWithPassword(page);
    await page.getByLabel("Display name").fill("Amazing <b>Grace</b>");
    await page.getByRole("button", { name: "Save" }).click();
    await expectMember(page, "Amazing <b>Grace</b>");
    const other = await newTab();
    await other.goto("/members");
    await expectMember(other, "Amazing <b>Grace</b>");
    await other.getByLabel("Display name").fill("Grace Hopper");
    await other.getByRole("button", { name: "Save" }).click();
    await expectMember(other, "Grace Hopper");
    await leave();
  });

  it("needs no mouse", async () => {
    const { page, leave } = await arrive();
    const focused = () => page.evaluate("document.activeElement?.textContent?.trim() || document.activeElement?.name");
    const tabTo = async (wanted: string) => {
      for (let presses = 0; presses < 15 && (await focused()) !== wanted; presses++) await page.keyboard.press("Tab");
      expect(await focused()).toBe(wanted);
    };
    await page.goto("/");
    await tabTo("Skip to the content");
    await page.keyboard.press("Enter");
    await tabTo("Sign in");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/auth\/signin/);
    await tabTo("identifier");
    await page.keyboard.type("grace");
    await page.keyboard.press("Enter");
    await page.getByLabel("Password", { exact: true }).waitFor();
    await tabTo("password");
    await page.keyboard.type("nanosecond");
    await page.keyboard.press("Enter");
    await expectMember(page, "Grace Hopper");
    await tabTo("Sign out");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${demo.url}/`);
    await leave();
  });

  it("needs no script", async () => {
    const { page, leave } = await arrive({ javaScriptEnabled: false });
    await page.goto("/members");
    await goToProvider(page);
    await choosePerson(page, "Zofia");
    await page.waitForURL(/\/members$/);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(`${demo.url}/`);
    await page.goto("/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await leave();
  });

  it("does nothing for a form of another site", async () => {
    const { page, leave } = await arrive();
    await page.goto("/auth/signin?callbackUrl=/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    const foreign = createServer(({ url = "/" }, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<form method="post" action="${demo.url}${url}"><button>Win a prize</button></form>`);
    }).listen(0, "127.0.0.1");
    await once(foreign, "listening");
    const address = foreign.address();
    const port = typeof address === "object" ? address?.port : 0;
    for (const action of ["/auth/signout", "/auth/callback/credentials", "/sign-out", "/name", "/connect/second"]) {
      await page.goto(`http://127.0.0.1:${port}${action}`);
      await page.getByRole("button").click();
      await page.waitForURL(`${demo.url}${action}`);
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(
        /Not from here|Request blocked|Access denied/,
      );
    }
    foreign.close();
    await page.goto("/members");
    await expectMember(page, "Grace Hopper");
    await leave({ status: [403] });
  });
});
