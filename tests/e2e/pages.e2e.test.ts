import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { closeContexts, launchChromium, takePicture, visit } from "./chromium.ts";
import { DEVICES, inspect as inspectAs } from "./looks.ts";
import {
  askForLink,
  choosePerson,
  expectMember,
  findLink,
  goToProvider,
  signInWithPassword,
  typeLogin,
} from "./person.ts";
import { type RunningDemo, startDemo } from "./start-demo.ts";

let demo: RunningDemo;
let browser: Browser;
beforeAll(async () => {
  [demo, browser] = await Promise.all([startDemo(), launchChromium()]);
});
afterAll(() => Promise.all([closeContexts(browser), demo.end()]));

describe.each(DEVICES)("the pages of the demo, %s", (look, options) => {
  const inspect = (page: Page, name: string) => inspectAs(page, name, look);

  it("of the application and the provider can be used by everyone", async () => {
    const { page, leave } = await visit(browser, demo.url, options);
    await page.goto("/");
    await inspect(page, "home");
    await page.goto("/auth/signin?callbackUrl=/members");
    await goToProvider(page);
    await inspect(page, "provider-chooser");
    await choosePerson(page, "Ada Lovelace");
    await expectMember(page, "Ada Lovelace");
    await inspect(page, "members");
    await page.goto("/");
    await inspect(page, "home-signed-in");
    await page.goto("/auth/signin?callbackUrl=/members");
    await goToProvider(page);
    await inspect(page, "provider-consent");
    await page.goto("/nowhere");
    await inspect(page, "not-found");
    await leave({ status: [404] });
  });

  it("of a member with a name of any length can be used by everyone", async () => {
    const { page, leave } = await visit(browser, demo.url, options);
    await page.goto("/auth/signin?callbackUrl=/members");
    await signInWithPassword(page);
    const name = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte";
    await page.getByLabel("Display name").fill(name);
    await page.getByRole("button", { name: "Save" }).click();
    await expectMember(page, name);
    await inspect(page, "members-long-name");
    await page.getByLabel("Display name").fill("Grace Hopper");
    await page.getByRole("button", { name: "Save" }).click();
    await expectMember(page, "Grace Hopper");
    await leave();
  });

  it("of sign-in by e-mail and of connecting accounts can be used by everyone", async () => {
    const address = `a.member.with.a.rather.long.address.${look}@a-department.of-an-organisation.example.com`;
    const { page, leave } = await visit(browser, demo.url, options);
    await page.goto("/inbox");
    await inspect(page, "inbox-empty-or-not");
    await page.goto("/auth/signin?callbackUrl=/members");
    await askForLink(page, address);
    await inspect(page, "check-mail");
    const link = (await (await findLink(page, address)).getAttribute("href")) ?? "";
    await inspect(page, "inbox");
    await page.getByRole("link", { name: "View as HTML" }).first().click();
    await takePicture(page, `mail-${look}`);
    const other = await visit(browser, demo.url, options);
    await other.page.goto(link);
    await inspect(other.page, "confirm-email");
    await other.leave();
    await page.goto(link);
    await inspect(page, "members-by-email");
    await page.goto("/members?problem=not-connected");
    await inspect(page, "members-not-connected");
    await page.getByRole("button", { name: "Connect Second Provider" }).click();
    await page.waitForURL(/127\.0\.0\.1/);
    await typeLogin(page, `elsewhere-${look}`);
    await page.waitForURL(/\/members$/);
    await inspect(page, "members-connected");
    await leave();
    const stranger = await visit(browser, demo.url, options);
    await stranger.page.goto("/auth/signin?error=OAuthAccountNotLinked");
    await inspect(stranger.page, "signin-not-linked");
    await stranger.leave();
  });

  it("of the library can be used by everyone", async () => {
    const { page, leave } = await visit(browser, demo.url, options);
    await page.goto("/auth/signin?callbackUrl=/members");
    await inspect(page, "signin");
    await signInWithPassword(page, "wrong");
    await inspect(page, "signin-wrong-password");
    await page.goto("/auth/signin?error=OAuthCallbackError");
    await inspect(page, "signin-error");
    for (const error of ["Configuration", "AccessDenied", "Verification", "Unknown"]) {
      await page.goto(`/auth/error?error=${error}`);
      await inspect(page, `error-${error.toLowerCase()}`);
    }
    await page.goto("/auth/verify-request");
    await inspect(page, "verify-request");
    await page.goto("/auth/signout");
    await inspect(page, "signout");
    await leave({ status: [403, 500] });
  });
});
