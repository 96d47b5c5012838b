import { memoryStore, type Store } from "@cardea/core/adapters";
import { createClock } from "@cardea/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLimiter } from "./limiter.ts";
import type { Limit } from "./parse-limits.ts";

const limit: Limit = { times: 8, interval: 60, scope: "account" };
const budget = { key: "cardea:attempts:account", own: "", limits: [limit], row: "none" } as const;

/** Several processes on one store that can be away and can lose everything, all with one clock. */
function createFleet(processes: number, onStoreDown: "local" | "deny" = "local") {
  const clock = createClock();
  let shared = memoryStore({ now: clock.now });
  let isAway = false;
  const current = async <T>(call: (store: Store) => Promise<T>): Promise<T> => {
    if (isAway) throw new Error("away");
    return call(shared);
  };
  const store: Store = {
    get: (key) => current((s) => s.get(key)),
    set: (...args) => current((s) => s.set(...args)),
    add: (...args) => current((s) => s.add(...args)),
    swap: (...args) => current((s) => s.swap(...args)),
  };
  const now = () => clock.now() / 1000;
  const parts = { store, marker: "cardea:attempts:marker", now, random: () => crypto.randomUUID(), onStoreDown };
  return {
    clock,
    limiters: Array.from({ length: processes }, () => createLimiter(parts)),
    setAway: (value: boolean) => (isAway = value),
    lose: () => (shared = memoryStore({ now: clock.now })),
  };
}

/** The most that were let through in any interval of this length. */
function mostWithin(times: readonly number[], interval: number): number {
  return Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + interval).length));
}

/** Mostly many tries at once: intervals in which little happens show nothing. */
const wait = fc.oneof(
  { weight: 30, arbitrary: fc.constant(0) },
  { weight: 5, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constantFrom(20, 59) },
);

/** What happens next: time goes by, one process is asked, or something befalls the store. */
const steps = (events: readonly ("away" | "back" | "lose")[]) =>
  fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.record({ process: fc.nat(2), wait }) },
      ...(events.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...events) }]),
    ),
    { minLength: 40, maxLength: 200, size: "max" },
  );

async function play(plan: readonly (string | { process: number; wait: number })[]): Promise<readonly number[]> {
  const fleet = createFleet(3);
  // Each has been asked before anything befalls the store: a process that begins later knows of nothing.
  for (const limiter of fleet.limiters) await limiter.take([{ ...budget, key: "cardea:attempts:other" }]);
  const let_: number[] = [];
  for (const step of plan) {
    if (typeof step === "string") {
      if (step === "lose") fleet.lose();
      else fleet.setAway(step === "away");
      continue;
    }
    fleet.clock.advance({ seconds: step.wait });
    const verdict = await fleet.limiters[step.process]?.take([budget]);
    if (verdict?.allow) let_.push(fleet.clock.now() / 1000);
  }
  return let_;
}

describe("createLimiter()", () => {
  it("never lets more than the number through in any interval", async () => {
    await fc.assert(
      fc.asyncProperty(steps([]), async (plan) => {
        expect(mostWithin(await play(plan), limit.interval)).toBeLessThanOrEqual(limit.times);
      }),
    );
  });

  it("lets three processes through at most half more, whatever befalls the store", async () => {
    await fc.assert(
      fc.asyncProperty(steps(["away", "back", "lose"]), async (plan) => {
        expect(mostWithin(await play(plan), limit.interval)).toBeLessThanOrEqual(1.5 * limit.times);
      }),
    );
  });

  it("lets the whole number through at once, and again after the wait that it names", async () => {
    const { clock, limiters } = createFleet(3);
    const verdicts = [];
    for (let n = 0; n < 9; n++) verdicts.push(await limiters[n % 3]?.take([budget]));
    expect(verdicts.map((verdict) => verdict?.allow)).toEqual([...Array.from({ length: 8 }, () => true), false]);
    const [last] = verdicts.slice(-1);
    expect(last).toEqual({ allow: false, retryAfter: 120, degraded: false });
    clock.advance({ seconds: 119 });
    expect((await limiters[0]?.take([budget]))?.allow).toBe(false);
    clock.advance({ seconds: 1 });
    expect((await limiters[0]?.take([budget]))?.allow).toBe(true);
  });

  it("lets a user who waits through, however often others try in vain", async () => {
    const { clock, limiters } = createFleet(1);
    for (let n = 0; n < 500; n++) await limiters[0]?.take([budget]);
    clock.advance({ seconds: 120 });
    expect((await limiters[0]?.take([budget]))?.allow).toBe(true);
  });

  it("counts in its quarter what it let through while the store was there", async () => {
    const { limiters, setAway } = createFleet(2);
    for (let n = 0; n < 2; n++) await limiters[0]?.take([budget]);
    setAway(true);
    expect(await limiters[0]?.take([budget])).toMatchObject({ allow: false, degraded: true });
    const other = [];
    for (let n = 0; n < 3; n++) other.push((await limiters[1]?.take([budget]))?.allow);
    expect(other).toEqual([true, true, false]);
  });

  it("lets nothing through without the store where that was chosen", async () => {
    const { limiters, setAway } = createFleet(1, "deny");
    setAway(true);
    expect(await limiters[0]?.take([budget])).toMatchObject({ allow: false, degraded: true });
  });

  it("gives one budget back, and no other", async () => {
    const { limiters } = createFleet(1);
    const own = { ...budget, own: "cardea:attempts:own" };
    const other = { ...budget, key: "cardea:attempts:other" };
    for (let n = 0; n < 9; n++) for (const one of [own, other]) await limiters[0]?.take([one]);
    await limiters[0]?.reset(own);
    expect([(await limiters[0]?.take([own]))?.allow, (await limiters[0]?.take([other]))?.allow]).toEqual([true, false]);
  });

  it.each(["shared", "local"])("gives back what one name took, and nothing twice (%s)", async (where) => {
    const { limiters, setAway } = createFleet(1);
    const [limiter] = limiters;
    if (where === "local") setAway(true);
    const times = where === "local" ? 2 : 8;
    const [mine, theirs] = [
      { ...budget, own: "cardea:attempts:mine" },
      { ...budget, own: "cardea:attempts:theirs" },
    ];
    for (let n = 0; n < times / 2; n++) for (const one of [mine, theirs]) await limiter?.take([one]);
    for (let n = 0; n < 3; n++) await limiter?.reset(mine).catch(() => undefined);
    let allowed = 0;
    for (let n = 0; n < 20; n++) if ((await limiter?.take([mine]))?.allow === true) allowed++;
    expect(allowed).toBe(times / 2);
  });

  it("lets no more through when many try at the same moment", async () => {
    const { limiters } = createFleet(3);
    const verdicts = await Promise.all(Array.from({ length: 60 }, (_, n) => limiters[n % 3]?.take([budget])));
    const allowed = verdicts.filter((verdict) => verdict?.allow).length;
    expect(allowed).toBeGreaterThan(0);
    expect(allowed).toBeLessThanOrEqual(8);
  });
});
