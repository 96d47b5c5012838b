/** Passphrases, second factors and fresh proofs in the demo: without script wherever no passkey is involved. */
import { totpCode } from "@cardea/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium, type Visitor, visit } from "./chromium.ts";
import { plugIn, untilOffered } from "./device.ts";
import { askForLink, expectMember, findLink } from "./person.ts";
import {
  alert,
  FIRST,
  look as lookAs,
  newAddress,
  openFactors as openFactorsAt,
  openMail,
  PATIENCE_MS,
  press,
  register as registerAt,
  SECOND,
  setUpApp,
  signInBy,
  title,
  WITHOUT_SCRIPT,
} from "./proof-steps.ts";
import { type RunningDemo, startDemo } from "./start-demo.ts";

let demo: RunningDemo;
let browser: Browser;
beforeAll(async () => {
  [demo, browser] = await Promise.all([startDemo(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  expect(await demo.end()).toBe(0);
  expect(demo.output()).not.toContain("[error]");
});

async function arrive(options = {}): Promise<Visitor> {
  const visitor = await visit(browser, demo.url, options);
  visitor.context.setDefaultTimeout(PATIENCE_MS);
  return visitor;
}
const look = (page: Page, name: string, hasScript: boolean) => lookAs(page, `proof-${name}`, hasScript);
const register = ({ page }: Visitor, address: string) => registerAt(page, address, "/auth/signin");
const signIn = (page: Page, address: string, passphrase: string) => signInBy(page, address, passphrase, "/auth/signin");
const openFactors = (page: Page) => openFactorsAt(page, "/auth");

async function signOut(page: Page): Promise<void> {
  await page.goto("/members");
  await press(page, "Sign out");
}

describe("without script", { timeout: 5 * PATIENCE_MS }, () => {
  it("registers, signs in, proves a second factor, and resets the passphrase", async () => {
    const person = await arrive(WITHOUT_SCRIPT);
    const { page } = person;
    const address = newAddress("ada");
    await register(person, address);
    await expectMember(page, "member");
    await openFactors(page);
    await press(page, "Add an authenticator app");
    const { codes } = await setUpApp(page);
    expect(codes).toHaveLength(10);
    await page.getByRole("link", { name: "I’ve saved my codes" }).click();
    expect(await page.getByText("10 codes are left").isVisible()).toBe(true);

    await signOut(page);
    await signIn(page, address, SECOND);
    expect(await alert(page)).toContain("incorrect");
    await signIn(page, address, FIRST);
    await expect.poll(() => title(page)).toBe("Two-step verification");
    await page.goto("/members");
    expect(page.url(), "no one is signed in yet").toContain("/auth/signin");
    await page.goto("/auth/factor");
    await page.getByLabel("Recovery code").fill("WRONG");
    await press(page, "Use recovery code");
    expect(await alert(page)).toContain("incorrect");
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await press(page, "Use recovery code");
    await expectMember(page, "member");

    await signOut(page);
    await page.goto("/auth/signin?callbackUrl=/members");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("Account address").fill(address);
    await press(page, "Send link");
    await openMail(page, address, /reset/);
    await press(page, "Continue");
    await expect
      .poll(() => title(page), { message: "the reset does not skip the second factor" })
      .toBe("Two-step verification");
    await page.getByLabel("Recovery code").fill(codes[1] ?? "");
    await press(page, "Use recovery code");
    await expect.poll(() => title(page)).toBe("Choose a new password");
    await page.getByLabel("New password").fill("too short");
    await press(page, "Save password");
    expect(await alert(page)).toBe("That password is too short.");
    await page.getByLabel("New password").fill(SECOND);
    await press(page, "Save password");
    await expectMember(page, "member");
    await signOut(page);
    await signIn(page, address, SECOND);
    await page.getByLabel("Recovery code").fill(codes[2] ?? "");
    await press(page, "Use recovery code");
    await expectMember(page, "member");
    await person.context.close();
  });

  it("opens the safe after the passphrase was proven in place, where a link had signed the user in", async () => {
    const person = await arrive(WITHOUT_SCRIPT);
    const { page } = person;
    const address = newAddress("mary");
    await register(person, address);
    await signOut(page);
    await page.goto("/auth/signin?callbackUrl=/members");
    await askForLink(page, address);
    await (await findLink(page, address)).click();
    await expectMember(page, "member");
    await page.goto("/safe");
    expect(page.url()).toContain("/auth/step-up?level=safe");
    await expect.poll(() => title(page)).toBe("Confirm it’s you");
    await look(page, "step-up", false);
    await page.getByLabel("Password").fill("not the passphrase");
    await press(page, "Confirm with your password");
    expect(await alert(page)).toBe("The current password is incorrect.");
    await page.getByLabel("Passphrase").fill(FIRST);
    await press(page, "Confirm");
    await expect.poll(() => title(page)).toBe("The safe");
    await person.context.close();
  });
});

describe("every page of it", { timeout: 5 * PATIENCE_MS }, () => {
  it("is accessible, in both schemes and on a phone", async () => {
    const person = await arrive();
    const { page } = person;
    const address = newAddress("grace");
    await page.goto("/auth/register/passphrase");
    await look(page, "register", true);
    await page.goto("/auth/reset/passphrase");
    await look(page, "reset", true);
    await page.goto("/auth/signin?error=CredentialsSignin&code=busy");
    expect(await alert(page)).toContain("busy");
    await look(page, "busy", true);
    await register(person, address);
    await expectMember(page, "member");
    await look(page, "members", true);
    await page.goto("/auth/password");
    await look(page, "password", true);
    await page.goto("/auth/password?step=confirm");
    await look(page, "confirm", true);
    await openFactors(page);
    await press(page, "Add an authenticator app");
    await look(page, "enrol", true);
    const { secret } = await setUpApp(page);
    await look(page, "codes", true);
    await page.goto("/auth/factors");
    await look(page, "factors", true);
    await signOut(page);
    await signIn(page, address, FIRST);
    await look(page, "factor", true);
    await page.getByLabel("Code", { exact: true }).fill(await totpCode(secret, Date.now()));
    await press(page, "Continue");
    await expectMember(page, "member");
    await person.leave();
  });
});

describe("a passkey", { timeout: 5 * PATIENCE_MS }, () => {
  /** A member whose device keeps a passkey. */
  async function join(address: string) {
    const person = await arrive();
    const { page } = person;
    const device = await plugIn(page);
    await page.goto("/auth/signin/passkey?callbackUrl=/members");
    await untilOffered(page);
    await page.locator(".passkey").getByLabel("E-mail address").fill(address);
    await device.touch(true);
    await press(page, "Create an account with a passkey");
    await page.waitForURL(`${demo.url}/members`);
    return { ...person, device };
  }

  /** Sends a transfer as a program does; the answer is its status and where to confirm it. */
  const transfer = (page: Page, amount: number) =>
    page.evaluate(async (given) => {
      const body = new URLSearchParams({ amount: String(given), to: "NL91" });
      const response = await fetch("/transfer", { method: "POST", body });
      const { url = "" }: { url?: string } = await response.json();
      return { status: response.status, url };
    }, amount);

  it("signs what is shown: another amount is refused, and the same grant twice at once counts once", async () => {
    const { page, leave } = await join(newAddress("joan"));
    const asked = await transfer(page, 100);
    expect(asked.status).toBe(401);
    await page.goto(asked.url);
    expect(await page.locator("dl").textContent()).toBe("amount in euros100toNL91");
    await look(page, "bind", true);
    await press(page, "Confirm with a passkey");
    await page.waitForURL(`${demo.url}/members`);
    expect((await transfer(page, 900)).status, "another amount").toBe(401);
    const both = await page.evaluate(async () => {
      const send = async () => {
        const body = new URLSearchParams({ amount: "100", to: "NL91" });
        const response = await fetch("/transfer", { method: "POST", body });
        // An answer that is not read to its end stays under way.
        await response.text();
        return response.status;
      };
      return (await Promise.all([send(), send()])).sort();
    });
    expect(both).toEqual([200, 401]);
    await leave({ status: [401] });
  });

  it("is asked for in a window, and the request is sent once more by itself", async () => {
    const { page, device, context, leave } = await join(newAddress("kay"));
    const [credential] = await device.credentials();
    if (credential === undefined) throw new Error("The device keeps no passkey.");
    const opened = context.waitForEvent("page");
    await press(page, "Send");
    const popup = await opened;
    const own = await plugIn(popup);
    await own.add(credential);
    await own.touch(true);
    await press(popup, "Confirm with a passkey");
    await page.getByText("You sent €100 to NL91 ABNA 0417 1643 00.").waitFor();
    await leave({ status: [401] });
  });

  it("is the second step after a passphrase", async () => {
    const person = await arrive();
    const { page } = person;
    const address = newAddress("lin");
    await register(person, address);
    await expectMember(page, "member");
    const device = await plugIn(page);
    await device.touch(true);
    await page.reload();
    await press(page, "Add a passkey");
    await page.getByRole("region", { name: "Passkeys" }).getByRole("listitem").waitFor();
    await signOut(page);
    await device.touch(false);
    await signIn(page, address, FIRST);
    await page.waitForURL(/\/auth\/factor/);
    await look(page, "factor-passkey", true);
    await device.touch(true);
    await press(page, "Use a passkey");
    await expectMember(page, "member");
    await person.leave();
  });
});
