import { cookieOf, type Journey, readName, sessionLines, signedIn, signIn } from "./journey.ts";

const isPrivate = (headers: Headers): boolean => /private.*no-store/.test(headers.get("cache-control") ?? "");

/** The session, wherever an application reads it. */
export const sessionJourneys: readonly Journey[] = [
  {
    name: "a handler reads null for visitors, and the user's session",
    run: async (site, equal) => {
      const path = `${site.prefix}/session`;
      equal(await (await site.open().navigate(path)).json(), null);
      equal(readName(await (await (await signedIn(site)).navigate(path)).json()), "Ann");
    },
  },
  {
    name: "a guarded handler has the user's session",
    run: async (site, equal) => {
      const answer = await (await signedIn(site)).navigate(`${site.prefix}/members/area`);
      equal([answer.status, await answer.text()], [200, "SECRET of Ann"]);
    },
  },
  {
    name: "a loader reads null for visitors, and the user's session",
    needs: "loader",
    run: async (site, equal) => {
      const path = `${site.prefix}/loaded`;
      const read = async (page: Response) => /<b>([^<]*)<\/b>/.exec(await page.text())?.[1];
      equal(await read(await site.open().navigate(path)), "visitor");
      equal(await read(await (await signedIn(site)).navigate(path)), "Ann");
    },
  },
  {
    name: "a read renews the session once, and keeps the response out of shared caches",
    run: async (site, equal) => {
      const browser = await signedIn(site);
      const before = browser.cookies.get("cardea.session-token")?.value;
      const { headers } = await browser.navigate(`${site.prefix}/members`);
      equal([sessionLines(headers).length, isPrivate(headers)], [1, true]);
      const after = browser.cookies.get("cardea.session-token")?.value;
      equal([after === undefined, after === before], [false, false]);
      equal((await browser.navigate(`${site.prefix}/members`)).status, 200);
    },
  },
  {
    name: "a streamed response is sent in parts, with the renewed session",
    needs: "stream",
    run: async (site, equal) => {
      const cookie = await cookieOf(site);
      const { status, headers, body } = await site.raw({ target: `${site.prefix}/stream`, headers: { cookie } });
      equal([status, sessionLines(headers).length, isPrivate(headers)], [200, 1, true]);
      equal([body.includes("first"), body.includes("last")], [true, true]);
      // The parts of a streamed response are separate chunks (RFC 9112 §7.1).
      equal(/first[^l]*\r\n[0-9a-f]+\r\n[^f]*last/s.test(body), true);
    },
  },
  {
    name: "the application's own cookies are kept when the session is renewed",
    needs: "stream",
    run: async (site, equal) => {
      const { headers } = await (await signedIn(site)).navigate(`${site.prefix}/stream`);
      const names = headers.getSetCookie().map((line) => line.split("=")[0]);
      equal(names.toSorted(), ["cardea.session-token", "other", "theirs"]);
    },
  },
  {
    name: "a session larger than one cookie is written and read",
    run: async (site, equal) => {
      const browser = site.open();
      const name = "Ann ".repeat(1200).trim();
      await signIn(site, browser, name);
      const parts = browser.cookies.list().filter((cookie) => cookie.name.includes("session-token."));
      equal([parts.length > 1, browser.cookies.refused], [true, []]);
      equal(readName(await (await browser.navigate(`${site.prefix}/session`)).json()), name);
    },
  },
  {
    name: "outage: the session action responds with 503, and the cookie is kept",
    run: async (site, equal) => {
      const browser = await signedIn(site, "Outage");
      const before = browser.cookies.get("cardea.session-token")?.value;
      const { status, headers } = await browser.navigate(`${site.base}/session`);
      equal([status, headers.has("retry-after"), headers.getSetCookie()], [503, true, []]);
      equal([before === undefined, browser.cookies.get("cardea.session-token")?.value === before], [false, true]);
    },
  },
  {
    name: "outage: the guard does not run the handler, and the cookie is kept",
    run: async (site, equal) => {
      const browser = await signedIn(site, "Outage");
      const before = [await site.countRuns(), browser.cookies.get("cardea.session-token")?.value];
      const answer = await browser.navigate(`${site.prefix}/members`);
      equal([answer.status >= 500, (await answer.text()).includes("SECRET")], [true, false]);
      equal([await site.countRuns(), browser.cookies.get("cardea.session-token")?.value], before);
    },
  },
  {
    name: "outage: a handler that reads the session does not treat the user as a visitor",
    run: async (site, equal) => {
      const answer = await (await signedIn(site, "Outage")).navigate(`${site.prefix}/session`);
      equal([answer.status >= 500, (await answer.text()).trim() === "null"], [true, false]);
    },
  },
];
