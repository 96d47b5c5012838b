import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, expectAccessible, launchChromium, takePicture } from "./chromium.ts";
import { type Device, plugIn, untilOffered } from "./device.ts";
import { type RunningNext, startNextDemo } from "./next-start.ts";
import { type NextVisitor, visitNext } from "./next-visit.ts";
import { askForLink, findLink, signInWithPassword } from "./person.ts";

let demo: RunningNext;
let browser: Browser;
beforeAll(async () => {
  [demo, browser] = await Promise.all([startNextDemo(), launchChromium()]);
});
afterAll(async () => {
  await Promise.all([closeContexts(browser), demo.end()]);
  expect(demo.output()).not.toContain("[error]");
});

/** A user with a device, which no one touches yet. */
interface Person extends NextVisitor {
  readonly device: Device;
}

async function arrive(options = {}): Promise<Person> {
  const visitor = await visitNext(browser, demo.url, options);
  return { ...visitor, device: await plugIn(visitor.page) };
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const passkeysOf = (page: Page) => page.getByRole("region", { name: "Passkeys" }).getByRole("listitem");

/** Opens the application's own sign-in page, where the part about passkeys comes with the scripts. */
async function openSignIn(page: Page, address = ""): Promise<void> {
  await page.goto("/sign-in?callbackUrl=/members");
  await page.getByLabel("E-mail address of your passkey").fill(address);
  await untilOffered(page);
}

async function createAccount({ page, device }: Person, address: string): Promise<void> {
  await openSignIn(page, address);
  await device.touch(true);
  await press(page, "Create an account with a passkey");
  await expectMember(page, "member");
  await device.touch(false);
}

async function signInWithPasskey({ page, device }: Person, address = ""): Promise<void> {
  await openSignIn(page, address);
  await device.touch(true);
  await press(page, "Sign in with a passkey");
  await page.waitForURL(`${demo.url}/members`);
  await device.touch(false);
}

async function expectMember(page: Page, name: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: `Hello, ${name}` }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/members");
}

async function signOut(page: Page): Promise<void> {
  await press(page, "Sign out");
  await page.waitForURL(`${demo.url}/`);
}

/** What the page says that went wrong; Next.js has an alert of its own, for the names of pages. */
async function readProblem(page: Page): Promise<string> {
  const problem = page.locator(".problem");
  await problem.waitFor();
  return (await problem.textContent()) ?? "";
}

describe("a passkey in the Next.js demo", () => {
  it("makes a new account, and signs in to it without a word typed, by address, and by autofill", async () => {
    const person = await arrive();
    const { page, device, leave } = person;
    await createAccount(person, "edith@example.com");
    expect(await passkeysOf(page).count()).toBe(1);
    await signOut(page);
    await signInWithPasskey(person);
    await signOut(page);
    await signInWithPasskey(person, "edith@example.com");
    expect(await page.getByRole("region", { name: "You", exact: true }).textContent()).toContain("edith@example.com");
    await signOut(page);
    // Nothing is pressed: the browser offers it in the field, and the person takes it.
    await device.touch(true);
    await page.goto("/sign-in?callbackUrl=/members");
    await page.waitForURL(`${demo.url}/members`);
    // A page that Next.js loads ahead may be asked for after the sign-out.
    await leave({ status: [401] });
  });

  it("is added to who is signed in, on a second device as well, and each signs in", async () => {
    const person = await arrive();
    const { page, device, leave } = person;
    await page.goto("/sign-in?callbackUrl=/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await device.touch(true);
    await press(page, "Add a passkey");
    await passkeysOf(page).first().waitFor();
    await press(page, "Add a passkey");
    expect(await readProblem(page)).toBe("This device already has one of your passkeys.");
    await device.touch(false);
    const key = await plugIn(page, { transport: "usb" });
    await key.touch(true);
    await press(page, "Add a passkey");
    await passkeysOf(page).nth(1).waitFor();
    await expectAccessible(page);
    await takePicture(page, "next-members-passkeys");
    await signOut(page);
    for (const one of [key, device]) {
      await Promise.all([device.touch(false), key.touch(false)]);
      await signInWithPasskey({ ...person, device: one }, "grace@example.com");
      await expectMember(page, "Grace Hopper");
      await signOut(page);
    }
    await leave();
  });

  it("can be tried again after it was cancelled, and says why there is no second account for an address", async () => {
    const { page, device, leave } = await arrive();
    await openSignIn(page, "grace@example.com");
    await device.recognise(false);
    await device.touch(true);
    await press(page, "Create an account with a passkey");
    expect(await readProblem(page)).toMatch(/^No passkey was used/);
    await takePicture(page, "next-sign-in-passkey-cancelled");
    await expectAccessible(page);
    await device.recognise(true);
    await press(page, "Create an account with a passkey");
    await page.locator(".problem", { hasText: "already exists" }).waitFor();
    expect(await (await page.request.get("/api/auth/session")).json()).toBeNull();
    await leave();
  });

  it("H226 is refused when its counter goes backwards: it may be a copy", async () => {
    const person = await arrive();
    const { page, device, leave } = person;
    await createAccount(person, "copied@example.com");
    const [copy] = await device.credentials();
    if (copy === undefined) throw new Error("The device has no passkey.");
    await signOut(page);
    await device.put({ ...copy, signCount: copy.signCount + 1000 });
    await signInWithPasskey(person);
    await signOut(page);
    await device.put(copy);
    await openSignIn(page);
    await device.touch(true);
    await press(page, "Sign in with a passkey");
    await page.locator(".problem").waitFor();
    await device.touch(false);
    expect(await (await page.request.get("/api/auth/session")).json()).toBeNull();
    await leave();
  });

  it("is not there without scripts; other ways are", async () => {
    const { page, leave } = await visitNext(browser, demo.url, { javaScriptEnabled: false });
    await page.goto("/sign-in?callbackUrl=/members");
    await page.getByText("Passkeys need JavaScript.").waitFor();
    // Not with the demo's password: its user has a passkey by now, which is asked for as the second step.
    await askForLink(page, "hedy@example.com");
    await (await findLink(page, "hedy@example.com")).click();
    await expectMember(page, "member");
    await leave();
  });

  it.each([
    ["light", 1280],
    ["dark", 360],
  ] as const)("has a page that everyone can read: %s, %i pixels wide", async (colorScheme, width) => {
    const { page, leave } = await arrive({ colorScheme, viewport: { width, height: 800 } });
    await openSignIn(page);
    await expectAccessible(page);
    await takePicture(page, `next-sign-in-passkey-${colorScheme}-${width}`);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await leave();
  });
});
