import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, launchChromium } from "./chromium.ts";
import { type RunningNext, startNextDemo } from "./next-start.ts";
import { type NextVisitor, visitNext } from "./next-visit.ts";
import { askForLink, choosePerson, findLink, goToProvider, readAlert, signInWithPassword } from "./person.ts";

let demo: RunningNext;
let browser: Browser;
beforeAll(async () => {
  [demo, browser] = await Promise.all([startNextDemo(), launchChromium()]);
});
afterAll(async () => {
  await Promise.all([closeContexts(browser), demo.end()]);
  // Nothing that people did here is a problem of the operator's.
  expect(demo.output()).not.toContain("[error]");
});

const arrive = (options = {}): Promise<NextVisitor> => visitNext(browser, demo.url, options);

/** The members' pages, in both routers. */
const PRIVATE = ["/members", "/members/live", "/classic"];

async function enter(page: Page, target = "/members") {
  await page.goto(`/sign-in?callbackUrl=${target}`);
  await signInWithPassword(page);
  await page.waitForURL((url) => url.pathname === target);
}

/** Opens the page that follows other tabs. It does so from when its scripts run, which is when its buttons can be pressed. */
async function openLive(page: Page) {
  await page.goto("/members/live");
  await page.getByRole("button", { name: "End this session", disabled: false }).waitFor();
}

/** Fails unless a page shows nothing about Grace, hidden parts included. */
async function expectNothingPrivate(page: Page) {
  expect([page.url(), await page.getByText(/Hopper|grace@example\.com/).count()]).toEqual([page.url(), 0]);
}

/** Fails unless this is the members' page of that person. */
async function expectMember(page: Page, name: string) {
  await page.getByRole("heading", { level: 1, name: `Hello, ${name}` }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/members");
}

async function expectStranger(page: Page) {
  for (const path of PRIVATE) {
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await expectNothingPrivate(page);
  }
}

describe("ways into the Next.js demo", () => {
  it("leads a stranger from a members' page through the provider, and back to it", async () => {
    const { page, leave } = await arrive();
    await expectStranger(page);
    await page.goto("/members");
    expect(new URL(page.url()).search).toBe("?callbackUrl=%2Fmembers");
    await goToProvider(page);
    await choosePerson(page, "Ada Lovelace");
    await expectMember(page, "Ada Lovelace");
    await page.reload();
    await expectMember(page, "Ada Lovelace");
    await page.goto("/classic");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Hello, Ada Lovelace");
    await leave();
  });

  it("says that a password is wrong, and takes the right one then", async () => {
    const { page, leave } = await arrive();
    await page.goto("/sign-in?callbackUrl=/members");
    await signInWithPassword(page, "picosecond");
    await page.getByRole("alert").filter({ hasText: "are incorrect" }).waitFor();
    await expectStranger(page);
    await page.goto("/sign-in?callbackUrl=/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await leave();
  });

  it("takes a link from an e-mail, at once where it was asked for, after a click elsewhere", async () => {
    const { page, leave } = await arrive();
    const other = await arrive();
    await page.goto("/sign-in?callbackUrl=/members");
    await askForLink(page, "joan@example.com");
    const href = (await (await findLink(page, "joan@example.com")).getAttribute("href")) ?? "";
    await other.page.goto(href);
    await other.page.getByRole("button", { name: /Sign in/ }).waitFor();
    await page.goto(href);
    await expectMember(page, "member");
    await other.page.getByRole("button", { name: /Sign in/ }).click();
    await expectStranger(other.page);
    await Promise.all([leave(), other.leave({ status: [403] })]);
  });

  it("lets no one in who cancels at the provider", async () => {
    const { page, leave } = await arrive();
    await page.goto("/sign-in?callbackUrl=/members");
    await goToProvider(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForURL(/\/api\/auth\/error\?error=AccessDenied/);
    await expectStranger(page);
    await leave({ status: [403] });
  });

  it("leads nowhere else than into the application", async () => {
    const { page, leave } = await arrive();
    await page.goto("/sign-in?callbackUrl=https://evil.example/");
    await signInWithPassword(page);
    await page.waitForURL(`${demo.url}/`);
    await leave();
  });

  it("finishes two sign-ins that were begun in two tabs, each on its own page", async () => {
    const { page: first, newTab, leave } = await arrive();
    const second = await newTab();
    await first.goto("/sign-in?callbackUrl=/members");
    await second.goto("/sign-in?callbackUrl=/classic");
    await goToProvider(first);
    await goToProvider(second);
    await choosePerson(second, "Ada Lovelace");
    await second.waitForURL(/\/classic$/);
    await choosePerson(first, "Ada Lovelace");
    await expectMember(first, "Ada Lovelace");
    await leave();
  });

  it("is closed to a stranger who clicks instead of typing an address", async () => {
    const { page, leave } = await arrive();
    await page.goto("/");
    await page.getByRole("link", { name: "Try without signing in" }).click();
    await page.waitForURL(/\/sign-in\?callbackUrl=%2Fmembers$/);
    await leave({ status: [401] });
  });
});

describe("ways out of the Next.js demo", () => {
  const ways: readonly (readonly [string, string, (page: Page) => Promise<unknown>])[] = [
    ["a server action", "/members", (page) => page.getByRole("button", { name: "Sign out", exact: true }).click()],
    ["a client component", "/members/live", (page) => page.getByRole("button", { name: "End this session" }).click()],
    ["the Pages Router", "/classic", (page) => page.getByRole("button", { name: "Sign out", exact: true }).click()],
    [
      "the library's page",
      "/members",
      async (page) => {
        await page.goto("/api/auth/signout?callbackUrl=/");
        await page.getByRole("button", { name: "Sign out", exact: true }).click();
      },
    ],
  ];

  it.each(ways)("leave nothing behind: %s, back button included", async (_name, path, goOut) => {
    const { page, leave } = await arrive();
    await enter(page);
    await page.goto("/members/live");
    await page.goto(path);
    await page.getByText("Grace Hopper").first().waitFor();
    await goOut(page);
    await page.waitForURL(`${demo.url}/`);
    await page.getByRole("heading", { name: /^One door/ }).waitFor();
    await expectNothingPrivate(page);
    for (let steps = 0; steps < 3; steps++) {
      await page.goBack();
      await page.waitForURL(/\/sign-in|\/signout|\/$/);
      await expectNothingPrivate(page);
    }
    await expectStranger(page);
    await leave({ status: [401] });
  });

  it("are followed by other tabs", async () => {
    const { page, newTab, leave } = await arrive();
    await enter(page, "/members/live");
    const other = await newTab();
    await openLive(other);
    await page.getByRole("button", { name: "End this session" }).click();
    await other.getByText("You are no longer signed in here.").waitFor();
    expect(await other.getByTestId("status").textContent()).toBe("unauthenticated");
    await leave({ status: [401] });
  });
});

describe("a session in the Next.js demo", () => {
  it("is changed by a server action, and every component shows it at once", async () => {
    const { page, leave } = await arrive();
    await enter(page);
    await page.getByLabel("Display name").fill("Amazing <b>Grace</b>");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Hello, Amazing <b>Grace</b>" }).waitFor();
    expect(await page.getByRole("banner").textContent()).toContain("Amazing <b>Grace</b>");
    await page.goto("/members/live");
    expect(await page.getByRole("region", { name: "Live" }).textContent()).toContain("Amazing <b>Grace</b>");
    await leave();
  });

  it("is changed in the browser, in every tab", async () => {
    const { page, newTab, leave } = await arrive();
    await enter(page, "/members/live");
    const other = await newTab();
    await openLive(other);
    await page.getByLabel("Display name").fill("Rear Admiral");
    await page.getByRole("button", { name: "Save" }).click();
    for (const tab of [page, other]) {
      await tab.getByRole("region", { name: "Live" }).getByText("Rear Admiral").waitFor();
      expect(await tab.getByTestId("status").textContent()).toBe("authenticated");
    }
    await page.goto("/members");
    await expectMember(page, "Rear Admiral");
    await leave();
  });

  it("stays on the page while the server is slow, and when it cannot answer", async () => {
    const { page, context, leave } = await arrive();
    await enter(page, "/members/live");
    const seen: (string | null)[] = [];
    await context.route("**/api/auth/session", async (route) => {
      seen.push(await page.getByTestId("status").textContent());
      await route.fulfill({ status: 503, headers: { "retry-after": "5" }, body: "null" });
    });
    await page.getByLabel("Display name").fill("Unsaved");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").filter({ hasText: "could not be saved" }).waitFor();
    const live = page.getByRole("region", { name: "Live" });
    expect(await live.textContent()).toMatch(/authenticated[\s\S]*grace@example\.com/);
    expect(await live.textContent()).not.toContain("Unsaved");
    await context.unroute("**/api/auth/session");
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route("**/api/auth/session", async (route) => {
      await released;
      await route.continue();
    });
    await page.getByLabel("Display name").fill("Patience");
    await page.getByRole("button", { name: "Save" }).click();
    expect(await page.getByTestId("status").textContent()).toBe("authenticated");
    expect(await live.textContent()).toContain("grace@example.com");
    release();
    await live.getByText("Patience").waitFor();
    expect(seen).toEqual(["authenticated"]);
    await leave({ status: [503] });
  });
});

describe("the Next.js demo without scripts", () => {
  it("signs in and out in every way, and says what went wrong", async () => {
    const { page, leave } = await arrive({ javaScriptEnabled: false });
    await page.goto("/members");
    await signInWithPassword(page, "picosecond");
    expect(await readAlert(page)).toMatch(/are incorrect/);
    await signInWithPassword(page);
    await page.waitForURL(/\/members$/);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(`${demo.url}/`);
    await page.goto("/members");
    await goToProvider(page);
    await choosePerson(page, "Zofia");
    await page.waitForURL(/\/members$/);
    await page.getByLabel("Display name").fill("Zosia");
    await page.getByRole("button", { name: "Save" }).click();
    await expectMember(page, "Zosia");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(`${demo.url}/`);
    await page.goto("/sign-in?callbackUrl=/members");
    await askForLink(page, "mary@example.com");
    await (await findLink(page, "mary@example.com")).click();
    await page.waitForURL(/\/members$/);
    await leave();
  });
});
