import type { EndpointScript, NetworkFault, Visit } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import { type Case, installClock, ORIGIN, recordOf, setUp } from "../harness/harness.ts";
import {
  anotherBrowser,
  attempt,
  begin,
  calls,
  comeBack,
  expectNoSignIn,
  expectSignedIn,
  pendingCookies,
  setUpWired,
  start,
} from "../harness/oauth-journeys.ts";

const ENDPOINTS = ["discovery", "token", "jwks", "userinfo"] as const;
type Endpoint = (typeof ENDPOINTS)[number];

const MIB = 1024 * 1024;
/** All four endpoints are asked. */
const WITH_USERINFO = { provider: { idToken: false } } as const;

/** The sign-in ends at the endpoint: at the press of the button, or at the callback. */
async function expectFailsAt(endpoint: Endpoint, script: EndpointScript, c = setUp(WITH_USERINFO)): Promise<Visit> {
  c.op.script = { [endpoint]: script };
  const begun = await start(c);
  if (endpoint === "discovery") return expectNotBegun(c, begun);
  const visit = await comeBack(c, new URL(begun.redirectsTo ?? ""));
  await expectNoSignIn(c, visit);
  return visit;
}

function expectNotBegun(c: Case, visit: Visit): Visit {
  expect(visit.redirectsTo).toMatch(/\/api\/auth\/signin\?error=OAuthSignin&callbackUrl=/);
  expect(pendingCookies(c)).toEqual([]);
  return visit;
}

/** Lets everything that is not a timer happen, until the condition holds. */
async function until(isTrue: () => boolean): Promise<void> {
  const limit = Date.now() + 20_000;
  while (!isTrue() && Date.now() < limit) await new Promise((resolve) => setImmediate(resolve));
  expect(isTrue()).toBe(true);
}

/** Names and codes of an error and its causes. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code, cause } = error as Error & { code?: unknown };
  const below = cause instanceof Error ? cause : Object(cause).err;
  return [...(typeof code === "string" ? [code] : []), ...codesOf(below)];
}

describe("the provider's network", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(ENDPOINTS)("H306 R24 reads no more than 1 MiB of an endless answer of %s", async (endpoint) => {
    const c = setUp(WITH_USERINFO);
    await expectFailsAt(endpoint, { endless: true }, c);
    const [call] = c.op.calls[endpoint];
    expect(call?.bytesSent).toBeGreaterThan(MIB);
    expect(call?.bytesSent).toBeLessThan(MIB + 64 * 1024);
  });

  it.each(ENDPOINTS)("H306 takes 1 MiB from %s, and not a byte more", async (endpoint) => {
    const c = setUp(WITH_USERINFO);
    c.op.script = { [endpoint]: { padTo: MIB } };
    await expectSignedIn(c, await attempt(c));
    await expectFailsAt(endpoint, { padTo: MIB + 1 });
  });

  it.each(
    ENDPOINTS.flatMap((endpoint) => (["never", "stall"] as const).map((network) => [endpoint, network] as const)),
  )("H307 R21 gives %s ten seconds when it does this: %s", async (endpoint, network) => {
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const c = setUp(WITH_USERINFO);
    c.op.script = { [endpoint]: { network } };
    let isSettled = false;
    const failing = expectFailsAt(endpoint, { network }, c).finally(() => {
      isSettled = true;
    });
    await until(() => c.op.calls[endpoint].length === 1);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(isSettled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await failing;
    await timers.allEnd();
    c.op.script = {};
    await expectSignedIn(c, await attempt(c));
  });

  it("R21 waits no longer for a fetch that does not heed its abort signal", async () => {
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const c = setUpWired(() => new Promise(() => {}));
    const starting = start(c);
    await until(() => timers.count() === 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expectNotBegun(c, await starting);
  });

  it("H308 discovers a provider once for three sign-ins in a row", async () => {
    const c = setUp();
    for (const path of ["/1", "/2", "/3"]) await expectSignedIn(c, await comeBack(c, await begin(c, path)), path);
    expect(calls(c)).toMatchObject({ discovery: 1, jwks: 1, token: 3 });
  });

  it("H308 asks once for fifty sign-ins at the same time: metadata and keys", async () => {
    const c = setUp();
    c.op.script = { discovery: { delayMs: 5 }, jwks: { delayMs: 5 } };
    const tabs = Array.from({ length: 50 }, () => anotherBrowser(c));
    const urls = await Promise.all(tabs.map((tab) => begin(c, "/dash", tab)));
    expect(calls(c).discovery).toBe(1);
    const visits = await Promise.all(tabs.map((tab, n) => comeBack(c, urls[n] ?? new URL(ORIGIN), {}, tab)));
    for (const visit of visits) expect(visit.redirectsTo).toBe("https://app.example.com/dash");
    expect(calls(c)).toMatchObject({ discovery: 1, jwks: 1, token: 50 });
  });

  it("H308 H128 asks once for rotated keys, however many sign-ins miss them at the same time", async () => {
    const c = setUp();
    await expectSignedIn(c, await attempt(c));
    const tabs = Array.from({ length: 20 }, () => anotherBrowser(c));
    const urls = await Promise.all(tabs.map((tab) => begin(c, "/dash", tab)));
    c.op.keys.rotate();
    c.op.script = { jwks: { delayMs: 5 } };
    const visits = await Promise.all(tabs.map((tab, n) => comeBack(c, urls[n] ?? new URL(ORIGIN), {}, tab)));
    for (const visit of visits) expect(visit.redirectsTo).toBe("https://app.example.com/dash");
    expect(calls(c)).toMatchObject({ jwks: 2, token: 21 });
  });

  it.each(ENDPOINTS)("R23 refuses what is no JSON from %s", async (endpoint) => {
    const json = { "content-type": "application/json" };
    const cases: EndpointScript[] = [
      { raw: "{oops" },
      { raw: "<!doctype html><title>Login</title>", headers: { "content-type": "text/html" } },
      { raw: "" },
      { raw: '\ufeff{"keys":[]}', headers: json },
      { raw: "a=1&b=2", headers: { "content-type": "application/x-www-form-urlencoded" } },
      { truncate: 30 },
      { raw: "null", headers: json },
      { raw: "[]", headers: json },
      { raw: '"x"', headers: json },
      { raw: "NaN", headers: json },
    ];
    for (const script of cases) await expectFailsAt(endpoint, script);
  });

  it.each(ENDPOINTS)(
    "R23 refuses an honest answer of %s behind a byte order mark (RFC 8259 §8.1)",
    async (endpoint) => {
      const c = setUpWired(async (honest, url, init) => {
        const answer = await honest(url, init);
        const isMarked = url.endsWith(endpoint === "discovery" ? "/openid-configuration" : `/${endpoint}`);
        return isMarked ? new Response(`\ufeff${await answer.text()}`, answer) : answer;
      }, WITH_USERINFO);
      const begun = await start(c);
      if (endpoint === "discovery") expectNotBegun(c, begun);
      else await expectNoSignIn(c, await comeBack(c, new URL(begun.redirectsTo ?? "")));
    },
  );

  it.each(
    ENDPOINTS.flatMap((endpoint) =>
      (["dns", "tls", "refused", "reset", "reset-midway"] as const).map((fault) => [endpoint, fault] as const),
    ),
  )("R26 says in one record what happened at %s: %s", async (endpoint, network) => {
    const visit = await expectFailsAt(endpoint, { network });
    const errors = recordOf(visit).logs.filter(({ level }) => level === "error");
    expect(errors).toHaveLength(1);
    expect(codesOf(errors[0]?.values[0])).toContain(CODES[network]);
  });

  it("R28 signs in from what it knows while discovery is down, for a day", async () => {
    const clock = installClock();
    const c = setUp();
    await expectSignedIn(c, await attempt(c));
    c.op.script = { discovery: { network: "refused" } };
    clock.advance({ minutes: 59, seconds: 59 });
    await expectSignedIn(c, await attempt(c));
    expect(calls(c).discovery).toBe(1);
    clock.advance({ seconds: 1 });
    await expectSignedIn(c, await attempt(c));
    expect(calls(c).discovery).toBeGreaterThan(1);
    clock.advance({ hours: 23 });
    clock.advance({ milliseconds: -1 });
    await expectSignedIn(c, await attempt(c));
    clock.advance({ milliseconds: 1 });
    expectNotBegun(c, await start(c));
    c.op.script = {};
    await expectSignedIn(c, await attempt(c));
  });
});

const CODES: Readonly<Record<Exclude<NetworkFault, "never" | "stall">, string>> = {
  dns: "ENOTFOUND",
  tls: "ERR_TLS_CERT_ALTNAME_INVALID",
  refused: "ECONNREFUSED",
  reset: "ECONNRESET",
  "reset-midway": "ECONNRESET",
};
