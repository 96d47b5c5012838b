/** What people do on a site of two processes, in browsers without a window. */
import type { Browser } from "@cardea/testing";
import { expect } from "vitest";
import type { Site } from "./two-processes.ts";

/** A page of a browser. */
type Page = Awaited<ReturnType<Browser["navigate"]>>;

/** Opens the sign-in page, or that of one method. */
export function signInPage(browser: Browser, method = ""): Promise<Page> {
  return browser.navigate(`/auth/signin${method}?callbackUrl=/members`);
}

/** The address of whom one of the processes takes a browser for, or null. */
export async function whoIs(site: Site, browser: Browser, name: Site["route"]): Promise<string | null> {
  site.route = name;
  const session = await (await browser.tab().fetch("/auth/session")).json();
  return session?.user.email ?? null;
}

/** Fills in and sends the form of a sign-in page. */
export function sendPassword(browser: Browser, page: Page): Promise<Page> {
  const fields = { username: "grace", password: "nanosecond" };
  return browser.submit(page, { action: "/auth/callback/credentials", fields });
}

/** As far as the provider: the page that asks who a user is. */
async function goToProvider(browser: Browser): Promise<Page> {
  return browser.submit(await signInPage(browser), { action: "/auth/signin/local" });
}

/** Says at the provider who a user is; the URL that leads back to the application. */
export async function chooseAtProvider(site: Site, browser: Browser, login: string): Promise<string> {
  const chooser = await goToProvider(browser);
  const fields = { other: login };
  const answer = await browser.submit(chooser, { button: "Continue", fields, follow: "same-origin" });
  expect(answer.redirectsTo).toMatch(`${site.origin}/auth/callback/local?`);
  return answer.redirectsTo ?? "";
}

/** Asks for a link by e-mail, and finds it in the mail. */
export async function ask(site: Site, browser: Browser, email: string): Promise<string> {
  const page = await signInPage(browser, "/nodemailer");
  const told = await browser.submit(page, { action: "/auth/signin/nodemailer", fields: { email } });
  expect(await told.text()).toContain("Check your e-mail");
  return (await site.sink.nextMail(email)).links[0] ?? "";
}

/** People in the middle of things. */
export interface Begun {
  /** Everybody goes on, and no one has to begin again. */
  finish(): Promise<void>;
}

/** A user is a member, and others have begun to sign in, in every way there is. */
export async function beginEverything(site: Site, label: string): Promise<Begun> {
  const [member, typing, away] = [site.openBrowser(), site.openBrowser(), site.openBrowser()];
  const [asking, phone] = [site.openBrowser(), site.openBrowser()];
  await sendPassword(member, await signInPage(member, "/credentials"));
  const form = await signInPage(typing, "/credentials");
  const back = await chooseAtProvider(site, away, `away-${label}`);
  const link = await ask(site, asking, `link-${label}@example.com`);
  const button = await phone.navigate(await ask(site, site.openBrowser(), `phone-${label}@example.com`));
  return {
    finish: async () => {
      expect((await member.navigate("/members")).status).toBe(200);
      const arrivals = [
        await sendPassword(typing, form),
        await away.navigate(back),
        await asking.navigate(link),
        await phone.submit(button),
      ];
      expect(arrivals.map(({ url }) => url)).toEqual(Array(4).fill(`${site.origin}/members`));
      for (const browser of [member, typing, away, asking, phone]) {
        expect((await browser.navigate("/members")).url).toBe(`${site.origin}/members`);
      }
    },
  };
}
