/** Every call out of the engine during a sign-in fails once in every way; then the person tries again (safety section 3). */

import { customFetch } from "@cardea/core/providers";
import type { Visit } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { share } from "../../../testing/src/long-form.ts";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import { createFaultInjector, FAULTS, type FaultInjector } from "../harness/fault-injector.ts";
import type { CaseOptions } from "../harness/fixture.ts";
import { APPLICATION_TIMEOUT_MS } from "../harness/fixture.ts";
import { BASE, type Case, COOKIE, ORIGIN, PASSWORD, setUp } from "../harness/harness.ts";
import { comeBack, OAUTH2, pendingCookies, start } from "../harness/oauth-journeys.ts";

/** What each flow asks of the world, in this order; the first test of a flow holds it to that. */
const FLOWS = {
  oidc: ["redirect", "discovery", "token", "jwks", "userinfo", "profile", "signIn", "jwt", "signIn event"],
  oauth2: ["redirect", "token", "userinfo", "profile", "signIn", "jwt", "signIn event"],
  credentials: ["redirect", "authorize", "signIn", "jwt", "signIn event"],
} as const;
type Flow = keyof typeof FLOWS;

const AT_ONCE = FAULTS.filter((fault) => fault !== "never settles");
/** In the short form a call fails in every third way, and in the others in the other flows and at its neighbours. */
const faultsAt = (flow: Flow, position: number) => share(AT_ONCE, 3, position + Object.keys(FLOWS).indexOf(flow));

const isEndpoint = (name: string) => ["discovery", "token", "jwks", "userinfo"].includes(name);
/** What may fail without anybody noticing: who observes, and who only says where to go. */
const isHarmless = (name: string) => name === "redirect" || name.endsWith("event");

/** For how many milliseconds it is waited for. */
function patienceFor(name: string): number {
  if (isEndpoint(name)) return 10_000;
  return name.endsWith("event") ? 3_000 : APPLICATION_TIMEOUT_MS;
}

function prepare(flow: Flow, { through }: FaultInjector): Case {
  const callbacks = {
    redirect: ({ url }: { url: string }) => through("redirect", () => url),
    signIn: () => through("signIn", () => true),
    jwt: <T>({ token }: { token: T }) => through("jwt", () => token),
  };
  const events = { signIn: () => through("signIn event", () => {}) };
  const base = flow === "oauth2" ? OAUTH2 : { provider: { idToken: false } };
  const wired: typeof fetch = (input, init) => through(endpointOf(String(input)), () => c.op.fetch(input, init));
  const provider: CaseOptions["provider"] = {
    ...base.provider,
    [customFetch]: wired,
    profile: (claims) => through("profile", () => ({ id: String(claims.sub ?? claims.id), name: String(claims.name) })),
  };
  const authorize = ({ username, password }: Partial<Record<string, unknown>>) =>
    through("authorize", () => (password === PASSWORD ? { id: "7", name: String(username) } : null));
  const door = { id: "door", name: "Door", type: "credentials" as const, credentials: {}, authorize };
  const c: Case = setUp({ ...base, provider, providers: [door], config: { callbacks, events } });
  return c;
}

function endpointOf(url: string): string {
  return url.includes("/.well-known/") ? "discovery" : (new URL(url).pathname.split("/").at(-1) ?? "");
}

/** The whole way of a person; stops where they are sent back with an error. */
async function signIn(flow: Flow, c: Case): Promise<Visit> {
  if (flow === "credentials") {
    return c.post(`${BASE}/callback/door`, { username: "ann", password: PASSWORD, callbackUrl: `${ORIGIN}/dash` });
  }
  const begun = await start(c, `${ORIGIN}/dash`);
  const target = new URL(begun.redirectsTo ?? "");
  return target.origin === ORIGIN ? begun : comeBack(c, target);
}

const errorOf = (visit: Visit) => new URL(visit.redirectsTo ?? ORIGIN).searchParams.get("error");
const sessionCookie = (c: Case) => c.browser.cookies.get(COOKIE.session);
const signedIn = (c: Case) => c.eventNames().filter((name) => name === "signIn").length;

describe.each(Object.keys(FLOWS).map((flow) => flow as Flow))("a sign-in by %s", (flow) => {
  const positions = FLOWS[flow];

  afterEach(() => {
    vi.useRealTimers();
  });

  it("asks of the world what is failed below, and nothing else", async () => {
    const injector = createFaultInjector();
    const c = prepare(flow, injector);
    const visit = await signIn(flow, c);
    expect([visit.redirectsTo, injector.trace.filter((name, at, all) => name !== all[at - 1])]).toEqual([
      `${ORIGIN}/dash`,
      positions,
    ]);
  });

  it.each(positions.flatMap((name, position) => faultsAt(flow, position).map((fault) => [name, fault] as const)))(
    "R-suite: %s %s",
    async (name, fault) => {
      const injector = createFaultInjector();
      const c = prepare(flow, injector);
      void injector.arm(await positionOf(flow, name), fault);
      const visit = await signIn(flow, c);
      const isFine = isHarmless(name);
      expect(errorOf(visit) === null).toBe(isFine);
      expect(sessionCookie(c) !== undefined).toBe(isFine);
      expect(pendingCookies(c)).toEqual([]);
      expect(signedIn(c)).toBe(isFine ? 1 : 0);
      // Two credentials providers without a database are warned about at startup.
      const lines = c.logs.filter(({ level, text }) => level !== "debug" && !text.startsWith("shared-subjects:"));
      expect(lines.length).toBe(isSilent(name, fault) ? 0 : 1);
      await expectSecondTry(flow, c, injector);
    },
  );

  it.each(positions)("R-suite: %s never settles", async (name) => {
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const injector = createFaultInjector();
    const c = prepare(flow, injector);
    const reached = injector.arm(await positionOf(flow, name), "never settles");
    const answering = signIn(flow, c);
    await reached;
    await vi.advanceTimersByTimeAsync(patienceFor(name) - 1);
    // One more millisecond, and it is as if it had failed: endpoints, events and the application's own functions alike.
    expect(timers.count()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    const visit = await answering;
    expect(errorOf(visit) === null).toBe(isHarmless(name));
    expect(sessionCookie(c) !== undefined).toBe(isHarmless(name));
    await expectSecondTry(flow, c, injector);
  });
});

/** A handler's return value, and a location of no one's, are not worth a line. */
function isSilent(name: string, fault: string): boolean {
  return name.endsWith("event") && fault.startsWith("returns");
}

const traces = new Map<Flow, readonly string[]>();

/** Where a call comes in the trace of a flow that goes well: some come more than once. */
async function positionOf(flow: Flow, name: string): Promise<number> {
  const injector = createFaultInjector();
  if (!traces.has(flow)) await signIn(flow, prepare(flow, injector));
  const trace = traces.get(flow) ?? injector.trace;
  traces.set(flow, trace);
  return trace.indexOf(name);
}

/** Without the fault the person is signed in, once, and nothing of the first try is in the way. */
async function expectSecondTry(flow: Flow, c: Case, injector: FaultInjector): Promise<void> {
  injector.disarm();
  c.browser.cookies.delete(COOKIE.session);
  const before = signedIn(c);
  expect((await signIn(flow, c)).redirectsTo).toBe(`${ORIGIN}/dash`);
  expect(signedIn(c) - before).toBe(1);
  expect(await c.session()).toMatchObject({ user: { name: expect.any(String) } });
}
