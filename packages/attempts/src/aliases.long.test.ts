import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { type Browser, createBrowser } from "@cardea/testing";
import { array, assert, asyncProperty, boolean, constantFrom, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { attempts, attemptsOf } from "./attempts.ts";
import { foldName } from "./fold-name.ts";

const ORIGIN = "https://app.example.com";
const quiet = { error: () => {}, warn: () => {}, debug: () => {} };

/** An application whose accounts are told apart exactly, and each have their own password. */
function createApplication(accounts: Readonly<Record<string, string>>, limits: Record<string, string> = {}) {
  const checked: string[] = [];
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: quiet,
    extensions: [attempts({ limits })],
    store: memoryStore(),
    providers: [
      {
        id: "password",
        name: "Password",
        type: "credentials",
        credentials: { email: {}, password: {} },
        authorize: ({ email, password }) => {
          checked.push(String(email));
          return accounts[String(email).toLowerCase()] === password ? { id: String(email), name: String(email) } : null;
        },
      },
    ],
  });
  const { handlers } = auth;
  const newBrowser = () =>
    createBrowser((request) => (request.method === "GET" ? handlers.GET(request) : handlers.POST(request)), {
      origin: ORIGIN,
    });
  return { auth, newBrowser, checked };
}

async function tryIn(browser: Browser, email: string, password: string): Promise<string> {
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, email, password });
  const headers = { "X-Auth-Return-Redirect": "1" };
  const answer = await browser.fetch("/auth/callback/password", { method: "POST", body, headers });
  const { url }: { url: string } = await answer.json();
  const { searchParams } = new URL(url, ORIGIN);
  return searchParams.get("error") === null ? "in" : (searchParams.get("code") ?? searchParams.get("error") ?? "");
}

const ALIASES: readonly (readonly [string, string])[] = [
  ["jessica@example.com", "jesica@example.com"],
  ["victim@example.com", "víctim@example.com"],
  ["strasse@example.com", "straße@example.com"],
];

describe.each(ALIASES)("attempts(), of %s beside the account %s of a stranger", (victim, stranger) => {
  const accounts = { [victim]: "right", [stranger]: "mine" };

  it("does not begin again for an account because a stranger signed in to another", async () => {
    const app = createApplication(accounts);
    for (let n = 0; n < 20; n++) {
      const browser = app.newBrowser();
      for (let tries = 0; tries < 4; tries++) await tryIn(browser, victim, "wrong");
      await tryIn(browser, stranger, "mine");
    }
    expect(app.checked.filter((name) => name === victim).length).toBeLessThanOrEqual(10);
  });

  it("lets a hundred in a row through, and unlocks none of them by another account", async () => {
    const app = createApplication(accounts, { signin: "" });
    const browser = app.newBrowser();
    for (let n = 0; n < 12; n++) {
      for (let tries = 0; tries < 10; tries++) await tryIn(browser, victim, "wrong");
      await tryIn(browser, stranger, "mine");
    }
    expect(app.checked.filter((name) => name === victim).length).toBeLessThanOrEqual(100);
  });

  it("takes the device of one for no device of the other, and displaces none", async () => {
    const app = createApplication(accounts);
    const owner = app.newBrowser();
    expect(await tryIn(owner, victim, "right")).toBe("in");
    const browsers = Array.from({ length: 11 }, () => app.newBrowser());
    for (const browser of browsers) expect(await tryIn(browser, stranger, "mine")).toBe("in");
    for (const browser of browsers) for (let n = 0; n < 3; n++) await tryIn(browser, victim, "wrong");
    expect(app.checked.filter((name) => name === victim).length).toBe(11);
    expect(await tryIn(owner, victim, "right")).toBe("in");
    await attemptsOf(app.auth).forgetDevices(stranger);
    expect(await tryIn(owner, victim, "right")).toBe("too_many_attempts");
  });
});

describe("attempts()", () => {
  it("never checks more of an account than its limit, whatever look-alikes a stranger owns", async () => {
    const victim = "assessors@example.com";
    const alike = array(constantFrom(1, 2, 4, 5, 8), { minLength: 1, maxLength: 4 }).map((places) =>
      places.toSorted((a, b) => b - a).reduce((name, at) => `${name.slice(0, at + 1)}s${name.slice(at + 1)}`, victim),
    );
    const step = record({ who: constantFrom("victim", "stranger"), isNew: boolean(), alike });
    await assert(
      asyncProperty(array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        const names = steps.map((one) => one.alike).filter((name) => foldName(name) === foldName(victim));
        const app = createApplication({
          [victim]: "right",
          ...Object.fromEntries(names.filter((name) => name !== victim).map((name) => [name, "mine"])),
        });
        let browser = app.newBrowser();
        for (const { who, isNew, alike: name } of steps) {
          if (isNew) browser = app.newBrowser();
          if (who === "victim" || name === victim) await tryIn(browser, victim, "wrong");
          else await tryIn(browser, name, "mine");
        }
        expect(app.checked.filter((name) => name === victim).length).toBeLessThanOrEqual(10);
      }),
      { numRuns: isLong ? 100 : 8 },
    );
  });

  it("gives the owner back what was tried under the owner's name", async () => {
    const app = createApplication({ "jessica@example.com": "right" });
    for (let n = 0; n < 4; n++) {
      const browser = app.newBrowser();
      for (let tries = 0; tries < 9; tries++) await tryIn(browser, "Jessica@Example.com", "wrong");
      expect(await tryIn(browser, "jessica@example.com", "right")).toBe("in");
    }
  });
});
