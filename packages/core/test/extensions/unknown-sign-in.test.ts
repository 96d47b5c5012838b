/** A session whose sign-in is long ago, or unknown, does not become a recent one without a proof. */

import { memoryStore } from "@cardea/core/adapters";
import { defineExtension } from "@cardea/extend";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider, setUpDatabase } from "../harness/database-app.ts";
import { BASE, installClock, ORIGIN } from "../harness/harness.ts";

const DAY = 24 * 60 * 60;

function start(strategy: "jwt" | "database", config: object, memory = createMemoryAdapter({ keepIds: true })) {
  const second = secondProvider();
  const c = setUpDatabase({
    strategy,
    memory,
    providers: [second.provider],
    routes: second.routes,
    alsoTo: [second.op.issuer],
    config: { store: memoryStore({ instances: 1 }), ...config },
  });
  const link = async () => {
    second.op.user = { sub: "mine", email: "any@example.com", email_verified: true, name: "Any" };
    const started = await c.post(`${BASE}/signin/op2`, { callbackUrl: "/dash" });
    const back = await second.op.authorize(new URL(started.redirectsTo ?? ""));
    return c.browser.navigate(back.url, { initiator: second.op.issuer });
  };
  return { c, memory, link };
}

describe.each(["jwt", "database"] as const)("a sign-in, %s sessions", (strategy) => {
  it("ends its session after `absolute`, also if an account was linked meanwhile", async () => {
    const clock = installClock();
    const { c, link } = start(strategy, { session: { strategy, absolute: 3600, maxAge: 3000 } });
    await c.signInWithOp();
    clock.advance({ seconds: 2900 });
    expect((await link()).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(await c.session()).not.toBeNull();
    clock.advance({ seconds: 699 });
    expect(await c.session()).not.toBeNull();
    clock.advance({ seconds: 1 });
    expect(await c.session()).toBeNull();
  });

  it("of a session from before there was a limit is unknown: however much it is used, the session ends", async () => {
    const clock = installClock();
    const session = { strategy, maxAge: 3000, updateAge: 0 };
    const before = start(strategy, { session });
    await before.c.signInWithOp();
    const limited = start(strategy, { session: { ...session, absolute: 3600 } }, before.memory);
    limited.c.browser.cookies.restore(before.c.browser.cookies.snapshot());
    clock.advance({ seconds: 2000 });
    expect(await limited.c.session()).not.toBeNull();
    clock.advance({ seconds: 1599 });
    const lasting: unknown = await limited.c.session();
    // A row has no other time than its end; a token has the one when it was issued.
    expect(lasting === null).toBe(strategy === "database");
    clock.advance({ seconds: 1 });
    expect(await limited.c.session()).toBeNull();
  });

  it.each(["an account is linked", "it is issued again"])(
    "from before there were extensions is not recent when %s",
    async (how) => {
      const clock = installClock();
      const before = start(strategy, {});
      await before.c.signInWithOp();
      const ages: number[] = [];
      const extension = defineExtension({
        id: "ages",
        needs: { sessionInfo: true, store: true },
        async onSession({ cause, at }, { now }) {
          if (cause !== "renewal") ages.push(now() - (at ?? 0));
        },
        actions: {
          "POST prove": {
            ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
            async run(action) {
              await action.session();
              await action.renewSession({ e: 1 });
              return { kind: "empty", status: 204 };
            },
          },
        },
      });
      const now = start(strategy, { extensions: [extension] }, before.memory);
      now.c.browser.cookies.restore(before.c.browser.cookies.snapshot());
      clock.advance({ seconds: 60 });
      if (how === "it is issued again") await now.c.post(`${BASE}/prove`);
      else await now.link();
      expect(ages).toHaveLength(1);
      expect(ages[0]).toBeGreaterThanOrEqual(DAY);
      expect(await now.c.session()).not.toBeNull();
    },
  );
});
