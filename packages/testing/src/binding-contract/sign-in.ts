import { cookieOf, type Journey, nameOf, readName, type Site, sessionLines, signedIn, signIn } from "./journey.ts";

async function askForLink(site: Site, address: string) {
  const browser = site.open();
  const page = await browser.navigate(`${site.base}/signin/email?callbackUrl=${site.prefix}/session`);
  const answer = await browser.submit(page, { action: `${site.base}/signin/email`, fields: { email: address } });
  return { browser, answer, link: site.outside.linksTo(address).at(-1) ?? "" };
}

/** The fields of the form of `/enter` other than the password. Form actions read the provider from it. */
const ENTER = { providerId: "credentials", username: "Ann" };

/** Signing in and out, as in a browser without scripts. */
export const signInJourneys: readonly Journey[] = [
  {
    name: "password: signs in with the form and returns to the original page",
    run: async (site, equal) => {
      const browser = site.open();
      const to = `${site.prefix}/members/area?a=1&b=%26`;
      const back = await signIn(site, browser, "Ann", to);
      equal([back.url, await back.text()], [`${site.origin}${to}`, "SECRET of Ann"]);
      equal(await nameOf(site, browser), "Ann");
    },
  },
  {
    name: "password: a wrong password leads back to the sign-in page, without a session",
    run: async (site, equal) => {
      const browser = site.open();
      const page = await browser.navigate(`${site.base}/signin/credentials`);
      const fields = { username: "Ann", password: "wrong" };
      const back = await browser.submit(page, { action: `${site.base}/callback/credentials`, fields });
      const { pathname, searchParams } = new URL(back.url);
      equal([pathname, searchParams.get("error")], [`${site.base}/signin`, "CredentialsSignin"]);
      equal(await nameOf(site, browser), null);
    },
  },
  {
    name: "OpenID Connect: signs in with the exact redirect URI",
    run: async (site, equal) => {
      const browser = site.open();
      const { calls, user } = site.outside.provider;
      const count = calls.token.length;
      const page = await browser.navigate(`${site.base}/signin?callbackUrl=${site.prefix}/session`);
      const back = await browser.submit(page, { action: `${site.base}/signin/op` });
      equal(back.url, `${site.origin}${site.prefix}/session`);
      equal(readName(await back.json()), Object(user).name);
      const { params } = calls.token[count] ?? {};
      equal([calls.token.length - count, params?.get("redirect_uri")], [1, `${site.origin}${site.base}/callback/op`]);
    },
  },
  {
    name: "OpenID Connect: a callback without a pending sign-in is rejected",
    run: async (site, equal) => {
      const browser = site.open();
      const answer = await browser.navigate(`${site.base}/callback/op?code=x&state=y`);
      equal([new URL(answer.url).pathname.startsWith(site.base), await nameOf(site, browser)], [true, null]);
    },
  },
  {
    name: "e-mail: the link signs in the browser that requested it",
    run: async (site, equal) => {
      const { browser, answer, link } = await askForLink(site, "mary@example.com");
      equal(new URL(answer.url).pathname, `${site.base}/verify-request`);
      equal(link.startsWith(`${site.origin}${site.base}/callback/email?`), true);
      const back = await browser.navigate(link);
      equal(back.url, `${site.origin}${site.prefix}/session`);
      equal(Object(Object(await back.json()).user).email, "mary@example.com");
    },
  },
  {
    name: "e-mail: a link works once",
    run: async (site, equal) => {
      const { browser, link } = await askForLink(site, "kate@example.com");
      await browser.navigate(link);
      const other = site.open();
      const again = await other.navigate(link);
      equal([again.status < 500, await nameOf(site, other)], [true, null]);
    },
  },
  {
    name: "a script signs in with JSON and receives the destination",
    run: async (site, equal) => {
      const browser = site.open();
      const csrf: unknown = await (await browser.fetch(`${site.base}/csrf`)).json();
      const fields = { ...Object(csrf), username: "Ann", password: "correct", callbackUrl: `${site.prefix}/session` };
      const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
      const init = { method: "POST", headers, body: JSON.stringify(fields) };
      const answer = await browser.fetch(`${site.base}/callback/credentials`, init);
      equal([answer.status, await answer.json()], [200, { url: `${site.origin}${site.prefix}/session` }]);
      equal(await nameOf(site, browser), "Ann");
    },
  },
  {
    name: "a form without its token neither signs in nor out",
    run: async (site, equal) => {
      const browser = await signedIn(site);
      await browser.navigate(`${site.base}/signout`, { form: {} });
      equal(await nameOf(site, browser), "Ann");
      const visitor = site.open();
      await visitor.navigate(`${site.base}/callback/credentials`, { form: { username: "Ann", password: "correct" } });
      equal(await nameOf(site, visitor), null);
    },
  },
  {
    name: "a form from another site does not sign in",
    run: async (site, equal) => {
      const browser = site.open();
      const csrf: unknown = await (await browser.fetch(`${site.base}/csrf`)).json();
      const form = { ...Object(csrf), username: "Ann", password: "correct" };
      const initiator = "https://evil.example";
      await browser.navigate(`${site.base}/callback/credentials`, { form, initiator, follow: "none" });
      equal(await nameOf(site, browser), null);
    },
  },
  {
    name: "signing out with the form ends the session permanently",
    run: async (site, equal) => {
      const browser = await signedIn(site);
      const page = await browser.navigate(`${site.base}/signout`);
      const left = await browser.submit(page, { action: `${site.base}/signout`, follow: "none" });
      // The last line counts, because a renewal by the guard may precede it.
      equal([left.status, /Max-Age=0/i.test(sessionLines(left.headers).at(-1) ?? "")], [302, true]);
      equal(browser.cookies.get("cardea.session-token"), undefined);
      equal(await nameOf(site, browser), null);
      equal(await (await browser.navigate(`${site.prefix}/session`)).json(), null);
    },
  },
  {
    name: "signIn() in server code: signs in and redirects",
    needs: "operations",
    run: async (site, equal) => {
      const browser = site.open();
      const form = { ...ENTER, password: "correct", redirectTo: `${site.prefix}/session` };
      const back = await browser.navigate(`${site.prefix}/enter`, { form });
      equal([back.url, readName(await back.json())], [`${site.origin}${site.prefix}/session`, "Ann"]);
    },
  },
  {
    name: "signIn() in server code: a wrong password does not sign in",
    needs: "operations",
    run: async (site, equal) => {
      const browser = site.open();
      const answer = await browser.navigate(`${site.prefix}/enter`, { form: { ...ENTER, password: "wrong" } });
      equal([sessionLines(answer.headers), await nameOf(site, browser)], [[], null]);
    },
  },
  {
    name: "signOut() in server code: ends the session and redirects",
    needs: "operations",
    run: async (site, equal) => {
      const browser = await signedIn(site);
      const form = { redirectTo: `${site.prefix}/session` };
      const back = await browser.navigate(`${site.prefix}/leave`, { form });
      equal([back.url, await back.json()], [`${site.origin}${site.prefix}/session`, null]);
      equal(await nameOf(site, browser), null);
    },
  },
  {
    name: "accepts forms in every encoding, but no files",
    run: async (site, equal) => {
      const browser = site.open();
      const csrf: unknown = await (await browser.fetch(`${site.base}/csrf`)).json();
      const body = new FormData();
      const fields = { ...Object(csrf), username: "Ann ü", password: "correct" };
      for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
      const answer = await browser.fetch(`${site.base}/callback/credentials`, { method: "POST", body, follow: "none" });
      equal([answer.status, await nameOf(site, browser)], [302, "Ann ü"]);
      const cookie = await cookieOf(site);
      const headers = { cookie, "content-type": "image/png" };
      equal(
        (await site.raw({ target: `${site.base}/signout`, method: "POST", headers, body: "x" })).status === 302,
        false,
      );
    },
  },
];
