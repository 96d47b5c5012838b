/**
 * Two processes of the demo on one PostgreSQL: sessions, rotation of secrets, and the death of one of them. To start one takes as long as a
 * case or two, so each goes on where the one before ended, with other users; what a case needs of the processes it restores.
 */
import type { Browser } from "@cardea/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openScratchDatabase } from "./scratch-postgres.ts";
import { type Site, startSite } from "./two-processes.ts";
import { ask, type Begun, beginEverything, chooseAtProvider, sendPassword, signInPage, whoIs } from "./visitors.ts";

const OLD = "the secret of yesterday, of more than thirty-two bytes";
const NEW = "the secret of today, which has more than thirty-two bytes!";
const NEXT = "the secret of tomorrow, of more than thirty-two bytes!";

/** After [NEW, OLD]: the next secret opens before it seals. The oldest may go when all that it sealed is over. */
const ROTATION = [
  [NEW, NEXT],
  [NEXT, NEW],
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

  async function expectOneUser(email: string): Promise<void> {
    const owned = `"userId" IN (SELECT id FROM "User" WHERE email = '${email}')`;
    expect([
      await count("User", `email = '${email}'`),
      await count("Account", owned),
      await count("Session", owned),
    ]).toEqual([1, 1, 1]);
  }

  describe("that take requests in turns", () => {
    it.each([
      [
        "a password",
        async (browser: Browser) => sendPassword(browser, await signInPage(browser, "/credentials")),
        "grace@example.com",
      ],
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
      // Those that one process answers at the same moment get one answer.
      expect(arrived).not.toEqual([]);
      expect(await count("Session", `"userId" IN (SELECT id FROM "User" WHERE email = 'race@example.com')`)).toBe(1);
    });

    it("sign in once if the provider's answer reaches both at the same moment", async () => {
      const browser = site.openBrowser();
      const back = await chooseAtProvider(site, browser, "double");
      const visits = await Promise.all([browser, browser.tab()].map((tab) => tab.navigate(back)));
      // The provider takes a code once: the process that came second starts the sign-in again, and the provider knows the user.
      for (const { url } of visits) expect([site.origin, site.provider.issuer]).toContain(new URL(url).origin);
      expect(visits.map(({ url }) => url)).toContain(`${site.origin}/members`);
      await expectOneUser("double@example.com");
      expect([await whoIs(site, browser, "a"), await whoIs(site, browser, "b")]).toEqual(
        Array(2).fill("double@example.com"),
      );
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
    let member: Browser;
    let before: readonly [Begun, Begun];
    let between: Begun;
    beforeAll(async () => {
      await site.restore([OLD]);
      member = site.openBrowser();
      await sendPassword(member, await signInPage(member, "/credentials"));
      before = [await beginEverything(site, "before-a"), await beginEverything(site, "before-b")];
      await site.restart("a", [NEW, OLD]);
      site.route = "b";
      between = await beginEverything(site, "between");
    });

    it("ask again where one cannot read a form of the other yet, and sign no one out", async () => {
      const visitor = site.openBrowser();
      site.route = "a";
      const form = await signInPage(visitor, "/credentials");
      site.route = "b";
      const again = await sendPassword(visitor, form);
      expect(new URL(again.url).pathname).toBe("/auth/signin");
      const { url } = await sendPassword(visitor, await signInPage(visitor, "/credentials"));
      expect(url).toBe(`${site.origin}/members`);
      expect([await whoIs(site, member, "a"), await whoIs(site, member, "b")]).toEqual([
        "grace@example.com",
        "grace@example.com",
      ]);
    });

    it("lose no one and nothing that was begun before", async () => {
      site.route = "a";
      await before[0].finish();
      await site.restart("b", [NEW, OLD]);
      site.route = "both";
      await before[1].finish();
      await between.finish();
    });

    it("read each other's cookies at every step, when the next one is made known first", async () => {
      await site.restore([NEW, OLD]);
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
      await site.restore([NEXT, NEW]);
      for (const name of NAMES) expect(await whoIs(site, member, name)).toBe("grace@example.com");
    });
  });

  describe("one of which is killed in the middle of sign-ins", () => {
    /** What a user has come to with the one that is killed: a browser, and the URL that it goes to next. */
    interface Begin {
      readonly browser: Browser;
      readonly url: string;
    }
    const begun = new Map<string, Begin>();

    beforeAll(async () => {
      if (database === undefined) return;
      await site.restore([NEXT, NEW]);
      site.route = "a";
      for (const login of ["away", "before", "after", "between"]) {
        const browser = site.openBrowser();
        begun.set(login, { browser, url: await chooseAtProvider(site, browser, `killed-${login}`) });
      }
      const [asking, member] = [site.openBrowser(), site.openBrowser()];
      begun.set("mail", { browser: asking, url: await ask(site, asking, "killed-mail@example.com") });
      const { url } = await sendPassword(member, await signInPage(member, "/credentials"));
      begun.set("member", { browser: member, url });

      const lose = (name: string) => expect(find(name).browser.navigate(find(name).url)).rejects.toThrow();
      const lost: Promise<void>[] = [];
      // None of them waits as long as the application does.
      for (const when of ["before", "after"] as const) {
        const stalled = site.provider.stallNext(when);
        lost.push(lose(when));
        await stalled;
      }
      const accounts = await database.stallInserts("Account");
      lost.push(lose("between"));
      await accounts.stalled();
      await site.kill("a");
      await Promise.all(lost);
      await accounts.release();
    });
    beforeEach(() => {
      site.route = "b";
    });

    const find = (name: string): Begin => {
      const found = begun.get(name);
      if (found === undefined) throw new Error(`${name} has not begun`);
      return found;
    };
    const goOn = (name: string) => find(name).browser.navigate(find(name).url);

    it("finish it on the other, when it happened while the person was at the provider", async () => {
      expect((await goOn("away")).url).toBe(`${site.origin}/members`);
      await expectOneUser("killed-away@example.com");
    });

    it("finish it on the other, when the code was on its way to the provider", async () => {
      // The person loads the page again.
      expect((await goOn("before")).url).toBe(`${site.origin}/members`);
      await expectOneUser("killed-before@example.com");
    });

    it("start the sign-in again on the other, when the code was used up", async () => {
      const consent = await goOn("after");
      expect(new URL(consent.url).origin).toBe(site.provider.issuer);
      const members = await find("after").browser.submit(consent, { button: "Continue" });
      expect(members.url).toBe(`${site.origin}/members`);
      await expectOneUser("killed-after@example.com");
    });

    it("start it again on the other, when the user was written and the account was not", async () => {
      expect(await count("User", "email = 'killed-between@example.com'")).toBe(0);
      const consent = await goOn("between");
      expect((await find("between").browser.submit(consent, { button: "Continue" })).url).toBe(
        `${site.origin}/members`,
      );
      await expectOneUser("killed-between@example.com");
    });

    it("take the link of an e-mail that the dead one sent", async () => {
      expect((await goOn("mail")).url).toBe(`${site.origin}/members`);
      expect(await whoIs(site, find("mail").browser, "b")).toBe("killed-mail@example.com");
    });

    it("keep the sessions that the dead one made", async () => {
      expect(await whoIs(site, find("member").browser, "b")).toBe("grace@example.com");
    });
  });
});
