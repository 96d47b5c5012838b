/** What was confirmed holds, whatever failed before it and is retried: two processes, a store that fails at any call. */
import { createClock } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { copyOf, createTestApplication, replay, signIn, type TestServer } from "./application.ts";

type Kind = "signIn" | "endAll" | "block" | "unblock" | "empty";

/** A step on one of two processes. */
interface Step {
  readonly kind: Kind;
  readonly on: 0 | 1;
  /** The store fails from this call on, until the step is over. */
  readonly failsAt: number | null;
}

const CHANGES = ["endAll", "block", "unblock"] as const;

const refused = fc.record({ kind: fc.constantFrom(...CHANGES), on: fc.constant(0 as const), failsAt: fc.nat(4) });

const later = fc.record({
  kind: fc.constantFrom<Kind>("signIn", "signIn", "empty", ...CHANGES),
  on: fc.constantFrom(0 as const, 1 as const, 1 as const),
  failsAt: fc.option(fc.nat(4), { freq: 1, nil: null }),
});

/** A change long ago, one that is refused, and what happens before that is retried. */
const history: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom(...CHANGES), refused, fc.array(later, { minLength: 2, maxLength: 6 }))
  .map(([kind, second, others]) => [{ kind, on: 1, failsAt: null }, second, ...others]);

/** What is known about a session. */
interface Known {
  readonly cookie: string;
  state: "lives" | "may be ended" | "ended";
}

/** A user, as someone sees them who heard every answer. */
interface Model {
  blocked: boolean | "unknown";
  /** Whether an end of all sessions failed, and may still be carried out. */
  isEnding: boolean;
  readonly sessions: Known[];
}

function apply(model: Model, kind: "endAll" | "block" | "unblock", isDone: boolean): void {
  if (kind !== "endAll") model.blocked = isDone ? kind === "block" : "unknown";
  if (kind === "unblock") return;
  for (const session of model.sessions) {
    if (session.state !== "ended") session.state = isDone ? "ended" : "may be ended";
  }
  model.isEnding = !isDone;
}

const isSignedIn = (cookie: string) => cookie.includes("session-token");

async function carryOut(model: Model, server: TestServer, kind: Exclude<Kind, "empty">): Promise<void> {
  if (kind === "signIn") {
    const cookie = copyOf(await signIn(server));
    if (isSignedIn(cookie)) model.sessions.push({ cookie, state: model.isEnding ? "may be ended" : "lives" });
    if (isSignedIn(cookie)) expect(model.blocked).not.toBe(true);
    return;
  }
  const isDone = await server.sessions[kind]("ann").then(
    () => true,
    () => false,
  );
  apply(model, kind, isDone);
}

/** Each sign-in reads the log, and writes what the log lacks: afterwards both processes know everything. */
async function settle(servers: readonly TestServer[]): Promise<void> {
  for (const one of [...servers, ...servers]) await signIn(one, "bo");
}

describe.each(["jwt", "database"] as const)("what was confirmed, %s sessions", (strategy) => {
  it("holds after everything was retried", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const clock = createClock(Date.now());
        const installed = clock.install();
        try {
          const { backing, server } = createTestApplication({ strategy });
          const servers = [server(), server()] as const;
          const model: Model = { blocked: false, isEnding: false, sessions: [] };
          for (const { kind, on, failsAt } of steps) {
            clock.advance({ minutes: 1 });
            if (kind === "empty") {
              await settle(servers);
              backing.empty();
              await settle(servers);
              continue;
            }
            if (failsAt !== null) backing.failAt(backing.calls.length + failsAt);
            await carryOut(model, servers[on], kind).finally(() => backing.set("there"));
          }
          clock.advance({ minutes: 1 });
          await settle(servers);
          for (const { cookie, state } of model.sessions) {
            const seen = [await replay(servers[0], cookie), await replay(servers[1], cookie)];
            if (state !== "may be ended") expect(seen).toEqual(Array(2).fill(state === "lives" ? "ann" : null));
          }
          for (const one of servers) {
            const isAdmitted = isSignedIn(copyOf(await signIn(one)));
            if (model.blocked !== "unknown") expect(isAdmitted).toBe(!model.blocked);
          }
        } finally {
          installed.restore();
        }
      }),
      { numRuns: isLong ? 1500 : 20 },
    );
  });
});
