// Two windows of Chromium, of one user, who signs in and out in each and ends the session of the other.
import { setTimeout as pause } from "node:timers/promises";
import { launchChromium } from "../e2e/chromium.ts";
import { clock, type History } from "./history.ts";
import type { Fleet } from "./start-fleet.ts";
import { BOUND } from "./visitor.ts";

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

const LOGIN = "window";

/** Undefined, with a line that says so, where Chromium is not installed. In CI that is an error. */
async function launch(): Promise<Browser | undefined> {
  try {
    return await launchChromium();
  } catch (error) {
    if (process.env.CI) throw error;
    console.warn("SKIPPED: the two windows of the fleet, because Chromium is not installed.");
    return undefined;
  }
}

/** What a window shows: its user's page, the way in, or that something is away. */
type Shown = "member" | "signed out" | "unavailable";

/**
 * Uses two windows until the time is over. Neither ever shows another user, each that was signed out by the other asks to sign in once
 * the bound has passed, and no window is signed out that was not asked to be.
 */
export async function useTwoWindows(fleet: Fleet, history: History, goesOn: () => boolean): Promise<void> {
  const browser = await launch();
  if (browser === undefined) return;
  try {
    const pages: Page[] = [];
    for (let n = 0; n < 2; n++) {
      const page = await (await browser.newContext({ baseURL: fleet.origin })).newPage();
      page.setDefaultTimeout(60_000);
      pages.push(page);
    }
    const [one, other] = pages;
    if (one === undefined || other === undefined) return;
    // At least one whole round: on a machine that is busy it is one after everything works again.
    const isShown = () => history.counts["windows: whole rounds"] !== undefined;
    for (let round = 0; goesOn() || (!isShown() && round < 20); round++) {
      try {
        await (round % 2 === 0 ? takeTurns(history, one, other) : takeTurns(history, other, one));
      } catch (error) {
        // A page that did not load, or has no such button: something was away meanwhile. Other windows tell what must not be.
        history.count("windows tried again");
        history.note(`window: ${String(error).split("\n")[0]}`);
        await pause(500);
      }
    }
  } finally {
    await browser.close();
  }
}

/** Both sign in; the first renews, and ends the session of the other; then it signs out itself. */
async function takeTurns(history: History, one: Page, other: Page): Promise<void> {
  for (const page of [one, other]) await signIn(history, page);
  await one.goto("/members");
  if (await press(one, "Save", "/name")) history.count("windows: renewals");
  await expectStillIn(history, one);
  await prove(one);
  await one.locator("summary", { hasText: "Sign out everywhere else" }).click();
  const isEnded = await press(one, "Sign out everywhere else", "/auth/sessions");
  if (isEnded) await expectOut(history, other, "the other window ended it");
  await one.goto("/");
  const isOut = await press(one, "Sign out", "/sign-out");
  if (isOut) await expectOut(history, one, "it signed out");
  if (isEnded && isOut) history.count("windows: whole rounds");
}

/** Proves its user freshly at the provider, which the end of other sessions asks for, and is back on the page of sessions. */
async function prove(page: Page): Promise<void> {
  await page.goto("/auth/step-up?level=settings&callbackUrl=/auth/sessions");
  // Proven a moment ago, it is there already.
  if (new URL(page.url()).pathname === "/auth/sessions") return;
  await page.getByRole("button", { name: "Continue with your identity provider" }).click();
  await goOn(page);
  await page.waitForURL(/\/auth\/sessions$/);
}

/** At the provider, which may know the user from before. */
async function goOn(page: Page): Promise<void> {
  await page.waitForURL(/127\.0\.0\.1/);
  const typed = page.getByLabel("Or type any login");
  if ((await typed.count()) > 0) await typed.fill(LOGIN);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

/** Presses a button whose form goes to a path. Whether that was done: the answer leads on, and not to an error. */
async function press(page: Page, name: string, path: string): Promise<boolean> {
  const [answer] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === "POST" && new URL(one.url()).pathname === path),
    page.getByRole("button", { name, exact: true }).click(),
  ]);
  await page.waitForLoadState();
  const { location = "error=" } = answer.headers();
  return !location.includes("error=");
}

async function signIn(history: History, page: Page): Promise<void> {
  if ((await look(history, page)) === "member") return;
  await page.goto("/auth/signin?callbackUrl=/members");
  await page.getByRole("button", { name: "Sign in with Local Provider" }).click();
  await goOn(page);
  await page.waitForURL(/\/members$/);
  history.count("windows: sign-ins");
}

async function look(history: History, page: Page): Promise<Shown> {
  const answer = await page.goto("/members");
  if (answer === null || answer.status() >= 500) return "unavailable";
  const heading = (await page.getByRole("heading", { level: 1 }).first().textContent()) ?? "";
  if (new URL(page.url()).pathname !== "/members") return "signed out";
  if (heading !== `Hello, ${LOGIN}`) history.violate(`a window of ${LOGIN} shows ${JSON.stringify(heading)}`);
  return "member";
}

async function expectStillIn(history: History, page: Page): Promise<void> {
  if ((await look(history, page)) === "signed out") history.violate("a window was signed out without a request for it");
}

/** Once the bound has passed; while a part is away, from then on. */
async function expectOut(history: History, page: Page, why: string): Promise<void> {
  const endedAt = clock();
  await pause(BOUND);
  const shown = await look(history, page);
  if (shown === "unavailable") return;
  history.count("windows: looked at after their end");
  await pause(200);
  const isDue = clock() > Math.max(endedAt, history.awayUntil(clock())) + BOUND;
  if (shown === "member" && isDue) history.violate(`a window shows its user although ${why}`);
}
