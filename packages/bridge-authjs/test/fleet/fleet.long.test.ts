// Real processes of the real libraries beside ours, behind one origin. Ours is always the last member.
import type { Browser } from "@cardea/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fleet, type Member, startFleet } from "./start-fleet.ts";

const CLIENTS = 100;
const REQUESTS = 10_000;

const env = { AUTH_SECRET: "a secret of more than thirty-two bytes for tests", AUTH_TRUST_HOST: "true" };

const fleets: readonly [string, string, readonly Member[]][] = [
  [
    "A: next-auth 5, @auth/express and Cardea",
    "https",
    [["auth-5.mjs"], ["express-5.mjs"], ["cardea.mjs", "authjs-v5"]],
  ],
  ["A on http", "http", [["auth-5.mjs"], ["express-5.mjs"], ["cardea.mjs", "authjs-v5"]]],
  ["B: next-auth 4 and Cardea", "https", [["auth-4.mjs"], ["cardea.mjs", "nextauth-v4"]]],
  ["B on http", "http", [["auth-4.mjs"], ["cardea.mjs", "nextauth-v4"]]],
];

interface Seen {
  readonly user: { readonly name: string };
  readonly expires: string;
}

const get = async (browser: Browser, path: string) => (await browser.fetch(path)).json();

async function post(browser: Browser, path: string, fields: Readonly<Record<string, unknown>>): Promise<Response> {
  const { csrfToken } = await get(browser, "/api/auth/csrf");
  const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
  const body = JSON.stringify({ csrfToken, json: "true", ...fields });
  return browser.fetch(path, { method: "POST", headers, body });
}

const signIn = (browser: Browser, username: string) => post(browser, "/api/auth/callback/credentials", { username });
const signOut = (browser: Browser) => post(browser, "/api/auth/signout", {});

describe.each(fleets)("fleet %s", (_name, scheme, members) => {
  const ours = members.length - 1;
  const theirs = 0;
  let fleet: Fleet;
  beforeAll(async () => {
    const [seed = 0] = fc.sample(fc.integer({ min: 1 }), 1);
    let state = seed;
    // mulberry32: the order of requests is the same for one seed.
    const random = () => {
      state = (state + 0x6d2b79f5) | 0;
      const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    };
    fleet = await startFleet(members, env, { origin: `${scheme}://app.example.com`, random });
  });
  afterAll(() => fleet?.close());

  const all = members.map((_, n) => n);
  /** Only this member answers. */
  const only = (member: number) => Object.assign(fleet, { pages: [member], actions: member });
  const nameOn = async (browser: Browser, member: number) => {
    only(member);
    const session: Seen | null = await get(browser, "/me");
    return session?.user.name ?? null;
  };

  /** Requests of all clients at once, each to a random member; what a client sees stays the same, and `expires` never goes back. */
  async function visit(browsers: readonly Browser[], requests: number, last: Map<Browser, Seen>): Promise<void> {
    const rounds = Math.ceil(requests / browsers.length);
    const visits = browsers.map(async (browser) => {
      for (let n = 0; n < rounds; n++) {
        const session: Seen | null = await get(browser, n % 2 === 0 ? "/page" : "/me");
        const before = last.get(browser);
        if (session === null) throw new Error(`${before?.user.name} was signed out`);
        if (before !== undefined) {
          expect({ ...session, expires: "" }).toEqual({ ...before, expires: "" });
          expect(Date.parse(session.expires)).toBeGreaterThanOrEqual(Date.parse(before.expires));
        }
        last.set(browser, session);
      }
    });
    await Promise.all(visits);
  }

  it("signs no one out, whichever answers, when ours is killed, comes back, and is rolled back", async () => {
    const browsers = Array.from({ length: CLIENTS }, () => fleet.openBrowser());
    const last = new Map<Browser, Seen>();
    for (const [n, browser] of browsers.entries()) {
      // Half sign in on each side.
      fleet.actions = n % 2 === 0 ? ours : theirs;
      await signIn(browser, `user-${n}`);
    }
    Object.assign(fleet, { pages: all, actions: ours });
    await visit(browsers, REQUESTS / 2, last);
    expect(new Set(browsers.map((browser) => last.get(browser)?.user.name)).size).toBe(CLIENTS);
    expect(Math.min(...fleet.answers)).toBeGreaterThan(CLIENTS / 2);
    await fleet.kill(ours);
    Object.assign(fleet, { pages: all.slice(0, -1), actions: theirs });
    await visit(browsers, REQUESTS / 6, last);
    await fleet.restart(ours);
    fleet.pages = all;
    await visit(browsers, REQUESTS / 6, last);
    Object.assign(fleet, { pages: all.slice(0, -1), actions: theirs });
    await visit(browsers, REQUESTS / 6, last);
  }, 600_000);

  it("ends a session on both sides, whichever is asked", async () => {
    for (const [first, second] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      const browser = fleet.openBrowser();
      only(first);
      await signIn(browser, "ann-3");
      expect(await nameOn(browser, second)).toBe("ann-3");
      await signOut(browser);
      expect(await nameOn(browser, first)).toBeNull();
      expect(await nameOn(browser, second)).toBeNull();
    }
  });

  it("shows the other user after a sign-in as another user, on whichever side", async () => {
    for (const [first, second] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      const browser = fleet.openBrowser();
      only(first);
      await signIn(browser, "ann-4");
      only(second);
      // Fewer cookies than before: none of the former may stay.
      await signIn(browser, "bo-1");
      expect(await nameOn(browser, first)).toBe("bo-1");
      expect(await nameOn(browser, second)).toBe("bo-1");
    }
  });

  it("has no factor that a client sent to the other side's update()", async () => {
    const browser = fleet.openBrowser();
    only(ours);
    await signIn(browser, "eve-0");
    const own = await get(browser, "/facts");
    expect(own.f).toEqual([["pwd", expect.any(Number)]]);
    only(theirs);
    await post(browser, "/api/auth/session", { data: { groups: "changed" } });
    only(ours);
    expect(await get(browser, "/facts")).toEqual(own);
    only(theirs);
    const planted = {
      ...own,
      f: [
        ["pwd", 1],
        ["otp", 4_000_000_000],
      ],
    };
    await post(browser, "/api/auth/session", { data: { cardea: planted } });
    only(ours);
    expect(await get(browser, "/facts")).toBeNull();
    expect(await nameOn(browser, ours)).toBe("eve-0");
  });
});
