import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { share } from "../../packages/testing/src/long-form.ts";
import { closeContexts, expectAccessible, launchChromium, takePicture, type Visitor, visit } from "./chromium.ts";
import { type Device, plugIn, untilOffered } from "./device.ts";
import { expectMember, goToProvider, signInWithPassword, typeLogin } from "./person.ts";
import { type RunningDemo, startDemo } from "./start-demo.ts";

let demo: RunningDemo;
let browser: Browser;

/** As a user without a passkey: who has one is asked for it after a password. */
async function signInElsewhere(page: Page): Promise<void> {
  await goToProvider(page);
  await typeLogin(page, `visitor-${crypto.randomUUID().slice(0, 8)}`);
  await page.waitForURL(/\/members$/);
}
beforeAll(async () => {
  [demo, browser] = await Promise.all([startDemo(), launchChromium()]);
});
afterAll(async () => {
  await closeContexts(browser);
  expect(await demo.end()).toBe(0);
  expect(demo.output()).not.toContain("[error]");
  expect(demo.output().match(/experimental-webauthn/g)).toHaveLength(1);
});

/** A user with a device, which no one touches yet. */
interface Person extends Visitor {
  readonly device: Device;
}

async function arrive(options = {}): Promise<Person> {
  const visitor = await visit(browser, demo.url, options);
  return { ...visitor, device: await plugIn(visitor.page) };
}

/** The part of the sign-in page that is about passkeys. */
const partOf = (page: Page) => page.locator(".passkey");
const addressOf = (page: Page) => partOf(page).getByLabel("E-mail address");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function openSignIn(page: Page): Promise<void> {
  await page.goto("/auth/signin/passkey?callbackUrl=/members");
  await untilOffered(page);
}

async function createAccount({ page, device }: Person, address: string): Promise<void> {
  await openSignIn(page);
  await addressOf(page).fill(address);
  await device.touch(true);
  await press(page, "Create an account with a passkey");
  await page.waitForURL(`${demo.url}/members`);
  await device.touch(false);
}

async function signInWithPasskey({ page, device }: Person, address = ""): Promise<void> {
  await openSignIn(page);
  await addressOf(page).fill(address);
  await device.touch(true);
  await press(page, "Sign in with a passkey");
  await page.waitForURL(`${demo.url}/members`);
  await device.touch(false);
}

async function signOut(page: Page): Promise<void> {
  await press(page, "Sign out");
  await page.waitForURL(`${demo.url}/`);
}

const passkeysOf = (page: Page) => page.getByRole("region", { name: "Passkeys" }).getByRole("listitem");

/** What the part says now, once it says something as loudly as that. */
async function readNote(page: Page, role: "alert" | "status" = "alert"): Promise<string> {
  const note = partOf(page).getByRole(role);
  await note.waitFor();
  return (await note.textContent()) ?? "";
}

async function expectNobody(page: Page): Promise<void> {
  expect(await (await page.request.get("/auth/session")).json()).toBeNull();
}

describe("a passkey in the demo", () => {
  it("makes a new account, and signs in to it without a word typed, by address, and by autofill", async () => {
    const person = await arrive();
    const { page, device, leave } = person;
    await createAccount(person, "joan@example.com");
    expect(await page.getByRole("region", { name: "You", exact: true }).textContent()).toContain("joan@example.com");
    expect(await passkeysOf(page).count()).toBe(1);
    await expectAccessible(page);
    await signOut(page);
    await signInWithPasskey(person);
    expect(await page.getByRole("region", { name: "You", exact: true }).textContent()).toContain("joan@example.com");
    await signOut(page);
    await signInWithPasskey(person, "Joan@Example.com");
    await signOut(page);
    // Nothing is pressed: the browser offers it in the field, and the person takes it.
    await device.touch(true);
    await page.goto("/auth/signin?callbackUrl=/members");
    await page.waitForURL(`${demo.url}/members`);
    expect(await page.getByRole("region", { name: "You", exact: true }).textContent()).toContain("joan@example.com");
    await leave();
  });

  it("is added to who is signed in, on a second device as well, and each signs in", async () => {
    const person = await arrive();
    const { page, device, leave } = person;
    await page.goto("/members");
    await signInWithPassword(page);
    await expectMember(page, "Grace Hopper");
    await device.touch(true);
    await press(page, "Add a passkey");
    await passkeysOf(page).first().waitFor();
    await press(page, "Add a passkey");
    const note = page.getByRole("region", { name: "Passkeys" }).getByRole("alert");
    await note.waitFor();
    expect(await note.textContent()).toBe("This device already has one of your passkeys.");
    await device.touch(false);
    const key = await plugIn(page, { transport: "usb" });
    await key.touch(true);
    await press(page, "Add a passkey");
    await passkeysOf(page).nth(1).waitFor();
    expect(await passkeysOf(page).filter({ hasText: "Security key" }).count()).toBe(1);
    await takePicture(page, "members-passkeys");
    await expectAccessible(page);
    await signOut(page);
    await key.touch(false);
    await signInWithPasskey({ ...person, device: key });
    await expectMember(page, "Grace Hopper");
    await signOut(page);
    await signInWithPasskey({ ...person, device: key }, "grace@example.com");
    await expectMember(page, "Grace Hopper");
    await leave();
  });

  it("is named and removed on the account page, and forgotten by its devices", async () => {
    const { page, device, leave } = await arrive({ viewport: { width: 360, height: 740 } });
    await page.goto("/members");
    await signInElsewhere(page);
    await device.touch(true);
    await press(page, "Add a passkey");
    await passkeysOf(page).first().waitFor();
    await page.goto("/auth/account");
    const row = page.getByRole("listitem").filter({ hasText: "On one device" });
    const rename = async () => {
      await row.getByText("Rename", { exact: true }).first().click();
      await row.getByLabel("Name").fill("My laptop");
      await row.getByRole("button", { name: "Rename" }).click();
    };
    await rename();
    // A session of a provider proves too little for that.
    await press(page, "Confirm with a passkey");
    await page.waitForURL(/\/auth\/account$/);
    await rename();
    await page.waitForURL(/done=rename/);
    expect(await row.locator("strong").textContent()).toBe("My laptop");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await expectAccessible(page);
    await takePicture(page, "account-passkeys-360");
    // The page tells it which passkeys it may keep.
    const [removed] = await device.credentials();
    if (removed === undefined) throw new Error("The device has no passkey.");
    await device.touch(false);
    await row.getByText("Remove", { exact: true }).first().click();
    await Promise.all([page.waitForEvent("load"), row.getByRole("button", { name: "Remove" }).click()]);
    await expect.poll(() => device.credentials()).toHaveLength(0);
    // A device that was not there then hears it when it presents the passkey.
    await device.add(removed);
    await page.context().clearCookies();
    await openSignIn(page);
    await device.touch(true);
    await press(page, "Sign in with a passkey");
    expect(await readNote(page)).toMatch(/^That passkey wasn’t accepted\./);
    await expectNobody(page);
    await expect.poll(() => device.credentials()).toHaveLength(0);
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
    expect(await readNote(page)).toMatch(/^That passkey wasn’t accepted\./);
    await expectNobody(page);
    expect(demo.output()).toMatch(/\[warn\] WebAuthnVerificationError: .*counter/);
    await leave();
  });

  it("shows whether it is backed up, as its device says at each sign-in, and is refused when it could not have been", async () => {
    const visitor = await visit(browser, demo.url);
    const { page, leave } = visitor;
    const device = await plugIn(page, { isSynced: true });
    const person = { ...visitor, device };
    await createAccount(person, "synced@example.com");
    const { credentialId = "" } = (await device.credentials())[0] ?? {};
    const expectPlace = async (place: string) => {
      await page.goto("/auth/account");
      const row = page.getByRole("listitem").filter({ hasText: "Added on" });
      expect(await row.getByText(/^On /).textContent()).toContain(place);
      await page.goto("/members");
      await signOut(page);
    };
    await expectPlace("On one device");
    for (const [backupState, place] of [
      [true, "On all your devices"],
      [false, "On one device"],
    ] as const) {
      await device.backUp(credentialId, { backupState });
      await signInWithPasskey(person);
      await expectPlace(place);
    }
    await device.backUp(credentialId, { backupEligibility: false });
    await openSignIn(page);
    await device.touch(true);
    await press(page, "Sign in with a passkey");
    expect(await readNote(page)).toMatch(/^That passkey wasn’t accepted\./);
    await expectNobody(page);
    expect(demo.output()).toMatch(/\[warn\] WebAuthnVerificationError: .*"check":"backup"/);
    await leave();
  });

  it("makes no account for an address that is another user's, says how to come, and is not kept by the device", async () => {
    const { page, device, leave } = await arrive();
    await openSignIn(page);
    await addressOf(page).fill("grace@example.com");
    await device.touch(true);
    await press(page, "Create an account with a passkey");
    expect(await readNote(page)).toMatch(/Sign in the way you originally signed up/);
    await expectNobody(page);
    await expect.poll(() => device.credentials()).toHaveLength(0);
    await leave();
  });

  it("can be tried again after it was cancelled, and after the wrong finger", async () => {
    const person = await arrive();
    const { page, device, leave } = person;
    await openSignIn(page);
    await addressOf(page).fill("again@example.com");
    await device.recognise(false);
    await device.touch(true);
    await press(page, "Create an account with a passkey");
    expect(await readNote(page)).toMatch(/^No passkey was used\. Try again/);
    await expectNobody(page);
    await device.recognise(true);
    await press(page, "Create an account with a passkey");
    await page.waitForURL(`${demo.url}/members`);
    await leave();
  });
});

describe("the sign-in page with passkeys", () => {
  it("keeps to its policy: its own script runs, no other, and nothing is loaded from elsewhere", async () => {
    const { page, leave } = await arrive();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const answer = await page.goto("/auth/signin");
    await partOf(page).waitFor();
    const policy = (await answer?.headerValue("content-security-policy")) ?? "";
    const hash = (await page.locator("script").getAttribute("integrity")) ?? "";
    expect(policy).toContain(`script-src ${demo.url}/auth/webauthn-script '${hash}'; connect-src 'self';`);
    expect(asked.filter((url) => !url.startsWith(`${demo.url}/`))).toEqual([]);
    await leave();
  });

  it.each([
    ["an inline script", () => "window.broken = true"],
    ["a file of this site", () => ""],
  ])("H296 does not run %s", async (_name, inline) => {
    const { page, context } = await arrive();
    await page.goto("/auth/signin");
    const violated = page.evaluate(`new Promise((resolve) => {
      addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
      const script = document.createElement("script");
      if (${JSON.stringify(inline())}) script.textContent = ${JSON.stringify(inline())};
      else script.src = "/scripts/members.js";
      document.body.append(script);
    })`);
    expect(await violated).toBe("script-src-elem");
    expect(await page.evaluate("window.broken")).toBeUndefined();
    await context.close();
  });

  it("H296 does not run a script that a user changed on its way, and works without", async () => {
    const { page, context } = await arrive();
    await context.route("**/auth/webauthn-script?*", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `${await answer.text()};window.broken = true;` });
    });
    await page.goto("/auth/signin?callbackUrl=/members");
    expect(await page.evaluate("window.broken")).toBeUndefined();
    expect(await partOf(page).isVisible()).toBe(false);
    await signInElsewhere(page);
    await context.close();
  });

  it("says what happened, each time in its own words, and goes on working", async () => {
    const { page, context, leave } = await arrive();
    const outcomes: readonly (readonly [string, RegExp])[] = [
      ["NotAllowedError", /^No passkey was used/],
      ["AbortError", /^No passkey was used/],
      ["InvalidStateError", /^This device already has a passkey for that account/],
      ["ConstraintError", /^This device can’t store/],
      ["NotSupportedError", /^This device can’t store/],
      ["SecurityError", /^This browser can’t/],
      ["DataError", /^That passkey wasn’t accepted/],
    ];
    await openSignIn(page);
    for (const [name, text] of outcomes) {
      await page.evaluate(`navigator.credentials.get = ({ mediation }) =>
        mediation ? new Promise(() => {}) : Promise.reject(new DOMException("no", ${JSON.stringify(name)}))`);
      await press(page, "Sign in with a passkey");
      expect(await readNote(page)).toMatch(text);
    }
    await expectAccessible(page);
    await takePicture(page, "sign-in-passkey-refused");
    await context.route("**/webauthn-options/**", (route) => route.abort());
    await press(page, "Sign in with a passkey");
    await expect.poll(() => readNote(page)).toMatch(/^We couldn’t reach the server/);
    await context.unroute("**/webauthn-options/**");
    await context.route("**/webauthn-options/**", (route) => route.fulfill({ status: 400, json: {} }));
    await press(page, "Sign in with a passkey");
    await expect.poll(() => readNote(page)).toMatch(/^That passkey wasn’t accepted/);
    await context.close();
    expect(leave).toBeDefined();
  });

  it("gives up when no one answers in time, and says so", async () => {
    const { page, context } = await arrive();
    await context.route("**/webauthn-options/**", async (route) => {
      const answer = await route.fetch();
      const { action, options } = await answer.json();
      await route.fulfill({ response: answer, json: { action, options: { ...options, timeout: 300 } } });
    });
    await openSignIn(page);
    // Recorded in the page: the first text is there for less time than a busy machine may need to ask for it.
    await page.evaluate(`{
      window.notes = [];
      const read = () => window.notes.push(document.querySelector(".passkey [role=status]").textContent);
      new MutationObserver(read).observe(document.querySelector(".passkey"), { childList: true, characterData: true, subtree: true });
    }`);
    await press(page, "Sign in with a passkey");
    expect(await readNote(page)).toMatch(/^The request timed out/);
    expect(await page.evaluate("window.notes")).toContainEqual(expect.stringMatching(/^Follow the steps/));
    // Autofill has begun to ask again.
    await context.unrouteAll({ behavior: "wait" });
    await context.close();
  });

  it("asks for what a new account needs, and for nothing to sign in", async () => {
    const { page, leave } = await arrive();
    await openSignIn(page);
    await press(page, "Create an account with a passkey");
    expect(await addressOf(page).evaluate("document.activeElement.matches(':invalid')")).toBe(true);
    await addressOf(page).fill("no address");
    await press(page, "Sign in with a passkey");
    expect(await partOf(page).getByRole("status").isVisible()).toBe(false);
    await leave();
  });

  it("says that a browser has no passkeys", async () => {
    const { page, context, leave } = await arrive();
    await context.addInitScript("delete window.PublicKeyCredential");
    await page.goto("/auth/signin");
    expect(await readNote(page, "status")).toMatch(/^This browser can’t use passkeys/);
    expect(await page.getByRole("button", { name: "Sign in with a passkey" }).isVisible()).toBe(false);
    await leave();
  });

  it("signs in by other ways without scripts, and says why passkeys are not there", async () => {
    const { page, leave } = await visit(browser, demo.url, { javaScriptEnabled: false });
    await page.goto("/members");
    expect(await page.locator("noscript .note").isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: /passkey/ }).count()).toBe(0);
    await takePicture(page, "sign-in-passkey-no-script");
    await signInElsewhere(page);
    await leave();
  });

  const looks = [
    ["light", 1280],
    ["dark", 1280],
    ["light", 360],
    ["dark", 360],
  ] as const;

  it.each(share(looks, 4, 3))("can be read by everyone: %s, %i pixels wide", async (colorScheme, width) => {
    const { page, leave } = await arrive({ colorScheme, viewport: { width, height: 800 } });
    await openSignIn(page);
    await partOf(page).waitFor();
    await expectAccessible(page);
    await takePicture(page, `sign-in-passkey-${colorScheme}-${width}`);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await leave();
  });
});
