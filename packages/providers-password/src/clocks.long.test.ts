// Two servers whose clocks differ by a minute, with one database and one store: each request goes to either.

import { secondFactor } from "@cardea/second-factor";
import { sessions } from "@cardea/sessions";
import { stepUp } from "@cardea/step-up";
import { type Browser, createBrowser } from "@cardea/testing";
import { array, assert, asyncProperty, boolean } from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

/** Milliseconds. */
const [SECOND, MINUTE] = [1_000, 60_000];

afterEach(() => {
  vi.useRealTimers();
});

/** Servers of one application. `ahead` says which of them answers each request. */
function startServers(strategy: "jwt" | "database", ahead: readonly boolean[]) {
  vi.useFakeTimers({ toFake: ["Date"] });
  const level = stepUp({ settings: { within: "15m" }, money: { within: "5m", factors: ["password"] } });
  const extensions = [sessions({ revocation: { check: "each" } }), level, secondFactor()];
  const app = startApp({ strategy, config: { extensions } });
  let time = 1_800_000_000_000;
  let requests = 0;
  const answer = (request: Request) => {
    time += SECOND;
    vi.setSystemTime(time + (ahead[requests++ % ahead.length] ? MINUTE : 0));
    return app.auth.handlers.GET(request);
  };
  const open = () => createBrowser(answer, { origin: ORIGIN, now: () => time });
  return { ...app, open };
}

/** Confirms the password, and asks for the page of the level that needs this: those who have are sent back. */
async function stepUpTo(browser: Browser, password: string): Promise<unknown> {
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, password, callbackUrl: "/inside" });
  await browser.fetch("/auth/password/confirm", { method: "POST", body });
  const headers = { accept: "application/json" };
  return (await browser.fetch("/auth/step-up?level=money&callbackUrl=/inside", { headers })).json();
}

/** A user changes the password, signs in with the new one at once, confirms it, and resets it. */
async function journey(strategy: "jwt" | "database", ahead: readonly boolean[]): Promise<readonly unknown[]> {
  const app = startServers(strategy, ahead);
  const [first, second, third] = [app.open(), app.open(), app.open()];
  const users = () => Promise.all([first, second, third].map(app.userOf));
  const answers: unknown[] = [];
  answers.push((await app.register(first)).redirectsTo);
  answers.push((await app.signIn(second, EMAIL, PASSWORD)).redirectsTo, await users());
  answers.push((await app.change(second, { current: PASSWORD, password: OTHER })).redirectsTo, await users());
  answers.push((await app.signIn(first, EMAIL, OTHER)).redirectsTo, await users());
  answers.push(await stepUpTo(first, OTHER));
  answers.push((await app.askReset(third)).redirectsTo, (await app.useLink(third)).redirectsTo);
  answers.push((await app.choose(third, PASSWORD)).redirectsTo, await users());
  answers.push((await app.signIn(first, EMAIL, PASSWORD)).redirectsTo, app.said);
  vi.useRealTimers();
  return answers;
}

describe.each(["jwt", "database"] as const)("servers whose clocks differ by a minute (%s)", (strategy) => {
  it("answer like one server", async () => {
    const expected = await journey(strategy, [false]);
    expect([expected.at(-3), expected.at(-1)]).toEqual([[null, null, EMAIL], []]);
    await assert(
      asyncProperty(array(boolean(), { minLength: 30, maxLength: 60 }), async (ahead) => {
        expect(await journey(strategy, ahead)).toEqual(expected);
      }),
      { numRuns: isLong ? 100 : 5 },
    );
  });
});
