/** Every cell of the table of failures, which docs/session-control.md shows: something is taken away, and one thing is done. */
import { readFileSync } from "node:fs";
import type { Adapter } from "@cardea/core/adapters";
import { afterEach, describe, expect, it, vi } from "vitest";
import { copyOf, createTestApplication, EAGER, ORIGIN, post, replay, signIn, type TestServer } from "./application.ts";
import { type Action, CONDITIONS, type Condition, FAILURES, type Outcome, renderFailures } from "./failure-table.ts";

const REVOCATION = {
  nothing: EAGER,
  brief: EAGER,
  long: EAGER,
  serving: { ...EAGER, onStale: "serve" },
  begun: EAGER,
  emptied: EAGER,
  database: EAGER,
} as const satisfies Record<Condition, object>;

/** So many milliseconds later, for the clock that tells how old is what a process knows. */
function later(milliseconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + milliseconds);
}

afterEach(() => void vi.restoreAllMocks());

/** An application with two sessions of Ann, of which one has ended; then something is away. */
async function inCondition(condition: Condition) {
  let isAway = false;
  const strategy = condition === "database" ? "database" : "jwt";
  const made = createTestApplication({ strategy, sessions: { revocation: REVOCATION[condition] } });
  const adapter: Adapter = new Proxy(made.memory.adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => (isAway ? Promise.reject(new Error("away")) : Reflect.apply(method, target, args));
    },
  });
  const config = { store: made.backing.store, ...(strategy === "database" ? { adapter } : {}) };
  const { server } = createTestApplication({ strategy, sessions: { revocation: REVOCATION[condition] }, config });
  const [first, other] = [server(), server()];
  const [browser, ended] = [await signIn(first), await signIn(first)];
  const [copy, endedCopy] = [copyOf(browser), copyOf(ended)];
  for (const one of [first, other]) expect(await replay(one, copy)).toBe("ann");
  await post(ended, "signout");
  if (condition === "emptied") made.backing.empty();
  if (condition === "database") isAway = true;
  else if (condition !== "nothing" && condition !== "emptied") made.backing.set("away");
  if (condition === "long" || condition === "serving") later(1000 * EAGER.stale + 1);
  const a = condition === "begun" ? server() : first;
  const own = a.newBrowser();
  own.cookies.restore(browser.cookies.snapshot());
  /** The database is there again: without it no session is said to have ended. */
  const bringBack = () => {
    isAway = false;
  };
  return { a, other, own, copy, endedCopy, bringBack };
}

type Case = Awaited<ReturnType<typeof inCondition>>;

async function read(server: TestServer, cookie: string): Promise<Outcome> {
  const answer = await server.handler(new Request(`${ORIGIN}/auth/session`, { headers: { cookie } }));
  if (answer.status === 503) {
    expect([answer.headers.getSetCookie(), answer.headers.has("retry-after")]).toEqual([[], true]);
    return "unavailable";
  }
  return (await answer.json()) === null ? "none" : "goesOn";
}

/** Server code ends sessions: of Ann, all that there are before. */
async function end({ a, other, copy, bringBack }: Case, work: () => Promise<void>): Promise<Outcome> {
  const isDone = await work().then(
    () => true,
    () => false,
  );
  if (isDone) bringBack();
  const here = await replay(a, copy);
  if (isDone) {
    expect([here, await replay(other, copy)]).toEqual([null, null]);
    return "everywhere";
  }
  return here === null ? "rejects" : "rejectsOnly";
}

const DO: Readonly<Record<Action, (given: Case) => Promise<Outcome>>> = {
  read: ({ a, copy }) => read(a, copy),
  readEnded: ({ a, endedCopy }) => read(a, endedCopy),
  signIn: async ({ a }) => {
    const stranger = a.newBrowser();
    await post(stranger, "callback/password", { username: "bo", password: "right" });
    return copyOf(stranger).includes("session-token") ? "signsIn" : "refused";
  },
  signOut: async ({ a, other, own, copy }) => {
    const answer: { complete?: boolean; url?: string } = await (await post(own, "signout")).json();
    expect(copyOf(own)).not.toContain("session-token");
    if (answer.complete === false) {
      expect(answer.url).toBe(`${ORIGIN}/auth/error?error=SignOutIncomplete`);
      return "incomplete";
    }
    if (answer.url === `${ORIGIN}/auth/error?error=Configuration`) return "notSignedOut";
    expect([await replay(a, copy), await replay(other, copy)]).toEqual([null, null]);
    return "everywhere";
  },
  list: async ({ own }) => {
    const answer = await own.fetch("/auth/sessions", { headers: { accept: "application/json" } });
    if (answer.status === 200) return "lists";
    expect(copyOf(own)).toContain("session-token");
    const { headers } = answer;
    const isTold = headers.has("retry-after") && headers.get("content-type") === "application/json";
    return answer.status === 503 && isTold ? "unavailable" : "none";
  },
  end: (given) => end(given, () => given.a.sessions.endAll("ann")),
  block: (given) => end(given, () => given.a.sessions.block("ann")),
};

const cells = (Object.keys(FAILURES) as Condition[]).flatMap((condition) =>
  (Object.entries(FAILURES[condition]) as [Action, Outcome][]).map(
    ([action, outcome]) => [CONDITIONS[condition], action, outcome, condition] as const,
  ),
);

describe("the table of failures", () => {
  it("is on the page as it is tested", () => {
    const page = readFileSync(new URL("../../../docs/session-control.md", import.meta.url), "utf8");
    expect(page).toContain(renderFailures());
  });

  it.each(cells)("%s is away: %s: %s", async (_text, action, outcome, condition) => {
    const given = await inCondition(condition);
    expect(await DO[action](given)).toBe(outcome);
  });
});
