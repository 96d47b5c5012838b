import type { AuthConfig, CookiesOptions } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, type Case, installClock } from "../harness/harness.ts";

const NAMES = {
  sessionToken: "session-token",
  sessionMark: "session-mark",
  state: "state",
  identifier: "identifier",
  lastMethod: "last-method",
  error: "error",
  csrfToken: "csrf-token",
  callbackUrl: "callback-url",
} as const;

/** The longest `Max-Age` that each cookie was set with, by its name: a second delivery takes the place of `state` for a minute. */
function lifetimesOf({ visits }: Case): Record<string, number> {
  const longest: Record<string, number> = {};
  for (const line of visits.flatMap(({ headers }) => headers.getSetCookie())) {
    const [, name = "", age] = /cardea\.([a-z-]+).*; Max-Age=(\d+)/.exec(line) ?? [];
    if (name !== "") longest[name] = Math.max(longest[name] ?? 0, Number(age));
  }
  return longest;
}

describe.each(["jwt", "database"] as const)("lifetimes of cookies, with the strategy %s", (strategy) => {
  const start = async (options: NonNullable<CookiesOptions["state"]>["options"], config: Partial<AuthConfig> = {}) => {
    const cookies: CookiesOptions = Object.fromEntries(Object.keys(NAMES).map((key) => [key, { options }]));
    const theme = { lastMethod: true };
    const c = setUpDatabase({ strategy, config: { cookies, theme, ...config } });
    await c.signInWithOp();
    return c;
  };

  it("a `maxAge` that is shorter counts for each, and comes before `expires`", async () => {
    installClock();
    const signIn: NonNullable<AuthConfig["callbacks"]>["signIn"] = ({ account }) => account?.provider === "op";
    const expires = new Date(Date.now() + 30_000);
    const c = await start({ maxAge: 60, expires }, { callbacks: { signIn } });
    await c.post(`${BASE}/signin`, { identifier: "ann@example.com" });
    await c.signIn();
    expect(lifetimesOf(c)).toEqual(Object.fromEntries(Object.values(NAMES).map((name) => [name, 60])));
  });

  it("a `maxAge` that is longer shortens nothing", async () => {
    const year = 365 * 86_400;
    const short = { "session-token": 30 * 86_400, "session-mark": year, state: 900, "last-method": 90 * 86_400 };
    expect(lifetimesOf(await start({ maxAge: year }))).toMatchObject(short);
  });

  it("an `expires` counts until it has passed", async () => {
    const clock = installClock();
    const c = await start({ expires: new Date(Date.now() + 60_000) });
    expect(lifetimesOf(c)).toMatchObject({ "session-token": 60, "session-mark": 60, "csrf-token": 60, state: 60 });
    clock.advance({ seconds: 61 });
    expect(await c.session()).toBe(null);
    await c.signInWithOp();
    expect(lifetimesOf(c)).toMatchObject({ "session-token": 30 * 86_400, state: 900 });
    expect(await c.session()).not.toBe(null);
  });

  it("the session in use is renewed before a `maxAge` of its cookie ends it, without one of its mark", async () => {
    const clock = installClock();
    const c = setUpDatabase({ strategy, config: { cookies: { sessionToken: { options: { maxAge: 60 } } } } });
    await c.signInWithOp();
    expect(lifetimesOf(c)).toMatchObject({ "session-token": 60, "session-mark": 400 * 86_400 });
    for (let n = 0; n < 4; n++) {
      clock.advance({ seconds: 30 });
      expect(await c.session()).not.toBe(null);
    }
    clock.advance({ seconds: 60 });
    expect(await c.session()).toBe(null);
  });
});
