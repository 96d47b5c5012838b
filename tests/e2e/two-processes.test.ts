/** Two processes of the demo on one PostgreSQL: sessions, rotation of secrets, and the death of one of them. */
import type { Browser } from "@cardea/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openScratchDatabase } from "./scratch-postgres.ts";
import { type Site, startSite } from "./two-processes.ts";
import { ask, beginEverything, chooseAtProvider, sendPassword, signInPage, whoIs } from "./visitors.ts";

const OLD = "the secret of yesterday, of more than thirty-two bytes";
const NEW = "the secret of tomorrow, of more than thirty-two bytes!";

/** After [OLD]: the new secret opens before it seals. The old one may go when all that it sealed is over. */
const ROTATION = [
  [OLD, NEW],
  [NEW, OLD],
] as const;

const NAMES = ["a", "b"] as const;

const database = await openScratchDatabase();

describe.skipIf(database === undefined)("two processes on one database", () => {
  let site: Site;
  beforeAll(async () => {
    if (database !== undefined) site = await startSite(database, [OLD]);
  });
  afterEach(() => {
    site.route = "both";
  });
  afterAll(async () => {
    await site?.close();
    await database?.drop();
  });

  const count = async (table: "User" | "Account" | "Session", where: string) =>
    Number((await database?.query(`SELECT count(*)::int FROM "${table}" WHERE ${where}`))?.[0]);

  async function expectOnePerson(email: string): Promise<void> {
    const owned = `"userId" IN (SELECT id FROM "User" WHERE email = '${email}')`;
    expect([
      await count("User", `email = '${email}'`),
      await count("Account", owned),
      await count("Session", owned),
    ]).toEqual([1, 1, 1]);
  }

  describe("that take requests in turns", () => {
    it.each([
      ["a password", async (browser: Browser) => sendPassword(browser, await signInPage(browser)), "grace@example.com"],
      [
        "the provider",
        async (browser: Browser) => browser.navigate(await chooseAtProvider(site, browser, "turns")),
        "turns@example.com",
      ],
      [
        "e-mail",
        async (browser: Browser) => browser.navigate(await ask(site, browser, "turns-mail@example.com")),
        "turns-mail@example.com",
      ],
    ])(
      "sign in with %s; the session is good on both and, revoked on one, gone on the other",
      async (_how, signIn, email) => {
        for (const last of NAMES) {
          const browser = site.openBrowser();
          const before = { ...site.answers };
          expect(new URL((await signIn(browser)).url).pathname).toBe("/members");
          expect(site.answers.a).toBeGreaterThan(before.a);
          expect(site.answers.b).toBeGreaterThan(before.b);
          expect([await whoIs(site, browser, "a"), await whoIs(site, browser, "b")]).toEqual([email, email]);
          site.route = last;
          const kept = browser.cookies.snapshot();
          await browser.navigate("/sign-out", { form: {} });
          // Even for who kept the cookie.
          browser.cookies.restore(kept);
          expect([await whoIs(site, browser, "a"), await whoIs(site, browser, "b")]).toEqual([null, null]);
          site.route = "both";
        }
      },
    );

    it("use a link by e-mail once, whichever of them it reaches at the same moment", async () => {
      const browser = site.openBrowser();
      const link = await ask(site, browser, "race@example.com");
      const visits = await Promise.all([1, 2, 3, 4].map(() => browser.tab().navigate(link, { follow: "none" })));
      const arrived = visits.filter(({ redirectsTo }) => redirectsTo === `${site.origin}/members`);
      expect(arrived).toHaveLength(1);
      expect(await count("Session", `"userId" IN (SELECT id FROM "User" WHERE email = 'race@example.com')`)).toBe(1);
    });

    it("make one user of two sign-ins of a user new at the same moment", async () => {
      const tabs = await Promise.all(
        [1, 2].map(async () => {
          const browser = site.openBrowser();
          const back = await chooseAtProvider(site, browser, "twice");
          return { browser, back };
        }),
      );
      const visits = await Promise.all(tabs.map(({ browser, back }) => browser.navigate(back)));
      // With the reason, if one of them is refused.
      expect(visits.map(({ url }) => url)).toEqual(Array(2).fill(`${site.origin}/members`));
      expect(await count("User", "email = 'twice@example.com'")).toBe(1);
      expect(await count("Account", `"providerAccountId" = 'typed-twice'`)).toBe(1);
    });
  });

  describe("whose secret is changed, one process at a time,", () => {
    beforeEach(() => site.restore([OLD]));

    it("lose no one and nothing that was begun before", async () => {
      const [begun, others] = [await beginEverything(site, "before-a"), await beginEverything(site, "before-b")];
      await site.restart("a", [NEW, OLD]);
      site.route = "a";
      await begun.finish();
      site.route = "b";
      const between = await beginEverything(site, "between");
      await site.restart("b", [NEW, OLD]);
      site.route = "both";
      await others.finish();
      await between.finish();
    });

    it("ask again where one cannot read a form of the other yet, and sign no one out", async () => {
      const [member, visitor] = [site.openBrowser(), site.openBrowser()];
      await sendPassword(member, await signInPage(member));
      await site.restart("a", [NEW, OLD]);
      site.route = "a";
      const form = await signInPage(visitor);
      site.route = "b";
      const again = await sendPassword(visitor, form);
      expect(new URL(again.url).pathname).toBe("/auth/signin");
      expect((await sendPassword(visitor, again)).url).toBe(`${site.origin}/members`);
      expect([await whoIs(site, member, "a"), await whoIs(site, member, "b")]).toEqual([
        "grace@example.com",
        "grace@example.com",
      ]);
    });

    it("read each other's cookies at every step, when the new one is made known first", async () => {
      for (const [step, secrets] of ROTATION.entries()) {
        const begun = await beginEverything(site, `step-${step}-a`);
        await site.restart("a", secrets);
        const between = await beginEverything(site, `step-${step}-b`);
        await begun.finish();
        await site.restart("b", secrets);
        await between.finish();
      }
    });

    it("sign no one out when the old one is gone", async () => {
      const browser = site.openBrowser();
      await sendPassword(browser, await signInPage(browser));
      for (const name of NAMES) {
        await site.restart(name, [NEW]);
        expect(await whoIs(site, browser, name)).toBe("grace@example.com");
      }
    });
  });

  describe("one of which is killed in the middle of a sign-in", () => {
    beforeEach(() => site.restore([OLD]));

    it("finish it on the other, when it happened while the person was at the provider", async () => {
      const browser = site.openBrowser();
      site.route = "a";
      const back = await chooseAtProvider(site, browser, "killed-away");
      await site.kill("a");
      site.route = "b";
      expect((await browser.navigate(back)).url).toBe(`${site.origin}/members`);
      await expectOnePerson("killed-away@example.com");
    });

    it("finish it on the other, when the code was on its way to the provider", async () => {
      const browser = site.openBrowser();
      const back = await chooseAtProvider(site, browser, "killed-before");
      const stalled = site.provider.stallNext("before");
      site.route = "a";
      const lost = expect(browser.navigate(back)).rejects.toThrow();
      await stalled;
      await site.kill("a");
      await lost;
      site.route = "b";
      // The person loads the page again.
      expect((await browser.navigate(back)).url).toBe(`${site.origin}/members`);
      await expectOnePerson("killed-before@example.com");
    });

    it("let the person begin again on the other, when the code was used up", async () => {
      const browser = site.openBrowser();
      const back = await chooseAtProvider(site, browser, "killed-after");
      const stalled = site.provider.stallNext("after");
      site.route = "a";
      const lost = expect(browser.navigate(back)).rejects.toThrow();
      await stalled;
      await site.kill("a");
      await lost;
      site.route = "b";
      const again = await browser.navigate(back);
      expect(again.url).toBe(`${site.origin}/auth/signin?error=OAuthCallbackError`);
      const consent = await browser.submit(again, { action: "/auth/signin/local" });
      const members = await browser.submit(consent, { button: "Continue" });
      expect(members.url).toBe(`${site.origin}/members`);
      await expectOnePerson("killed-after@example.com");
    });

    it("let the person begin again on the other, when the user was written and the account was not", async () => {
      const browser = site.openBrowser();
      const back = await chooseAtProvider(site, browser, "killed-between");
      const accounts = await database?.stallInserts("Account");
      site.route = "a";
      const lost = expect(browser.navigate(back)).rejects.toThrow();
      await accounts?.stalled();
      await site.kill("a");
      await lost;
      await accounts?.release();
      expect(await count("User", "email = 'killed-between@example.com'")).toBe(0);
      site.route = "b";
      const again = await browser.navigate(back);
      const consent = await browser.submit(again, { action: "/auth/signin/local" });
      expect((await browser.submit(consent, { button: "Continue" })).url).toBe(`${site.origin}/members`);
      await expectOnePerson("killed-between@example.com");
    });

    it("take the link of an e-mail that the dead one sent", async () => {
      const browser = site.openBrowser();
      site.route = "a";
      const link = await ask(site, browser, "killed-mail@example.com");
      await site.kill("a");
      site.route = "b";
      expect((await browser.navigate(link)).url).toBe(`${site.origin}/members`);
      expect(await whoIs(site, browser, "b")).toBe("killed-mail@example.com");
    });

    it("keep the sessions that the dead one made", async () => {
      const browser = site.openBrowser();
      site.route = "a";
      await sendPassword(browser, await signInPage(browser));
      await site.kill("a");
      expect(await whoIs(site, browser, "b")).toBe("grace@example.com");
    });
  });
});
