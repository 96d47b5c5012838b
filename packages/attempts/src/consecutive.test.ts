import { memoryStore, type Store } from "@cardea/core/adapters";
import { createClock } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type Budget, changeRow, createLimiter, forgetTried } from "./limiter.ts";

/** The consecutive failures of names, in one store. */
function start(grows: boolean) {
  const clock = createClock();
  const store = memoryStore({ now: clock.now });
  const now = () => Math.floor(clock.now() / 1000);
  const of = (name: string) => triesInARow(store, name, now, grows);
  return { clock, store, of };
}

function triesInARow(store: Store, name: string, now: () => number, grows: boolean) {
  const limiter = createLimiter({ store, marker: "marker", now, random: () => "mark", onStoreDown: "local" });
  const budget: Budget = { key: name, own: name, limits: [], row: grows ? "growing" : "steady" };
  return {
    async take(own = name) {
      const verdict = await limiter.take([{ ...budget, own }]);
      return verdict.allow ? 0 : verdict.retryAfter;
    },
    reset: (own = name) => limiter.reset({ ...budget, own }),
    unlock: () => forgetTried(store, budget),
    giveBack: () => changeRow(store, budget, (inARow) => inARow - 1),
  };
}

describe("createLimiter(): consecutive failures", () => {
  it("lets a hundred through, and none after them however long one waits", async () => {
    const { clock, of } = start(false);
    const tries = of("ann");
    const waits = [];
    for (let n = 0; n < 101; n++) waits.push(await tries.take());
    expect([waits.slice(0, 100).every((wait) => wait === 0), waits[100]]).toEqual([true, 86_400]);
    clock.advance({ days: 30 });
    expect(await tries.take()).toBe(86_400);
    expect(await of("bo").take()).toBe(0);
  });

  it("lets no more than a hundred through when many try at the same moment", async () => {
    const { of } = start(false);
    const waits = await Promise.all(Array.from({ length: 300 }, () => of("ann").take()));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(100);
    expect(await of("ann").take()).toBe(86_400);
  });

  it("begins again after a success", async () => {
    const { of } = start(true);
    for (let n = 0; n < 3; n++) expect(await of("ann").take()).toBe(0);
    expect(await of("ann").take()).toBe(1);
    await of("ann").reset();
    for (let n = 0; n < 3; n++) expect(await of("ann").take()).toBe(0);
  });

  it("waits no longer where another server's clock is ahead", async () => {
    const store = memoryStore();
    const of = (now: number) => triesInARow(store, "ann", () => now, true);
    for (let n = 0; n < 3; n++) await of(3600).take();
    expect(await of(60).take()).toBe(1);
  });

  it("ends the count of the exact name that succeeded, not of others that are spelt like it", async () => {
    const { of } = start(false);
    const tries = of("ann");
    for (let n = 0; n < 60; n++) await tries.take("ánn");
    for (let n = 0; n < 40; n++) await tries.take();
    expect(await tries.take()).toBe(86_400);
    await tries.reset();
    for (let n = 0; n < 40; n++) expect(await tries.take()).toBe(0);
    expect(await tries.take()).toBe(86_400);
    await tries.giveBack();
    expect([await tries.take(), await tries.take()]).toEqual([0, 86_400]);
    await tries.unlock();
    expect(await tries.take()).toBe(0);
  });

  it("remembers a name for a day after one failure, for two after two, and ninety at most", async () => {
    const { clock, store, of } = start(false);
    for (const [failures, days] of [
      [1, 1],
      [2, 2],
      [100, 90],
    ] as const) {
      const tries = of(`name${failures}`);
      for (let n = 0; n < failures; n++) await tries.take();
      clock.advance({ seconds: days * 86_400 - 1 });
      expect(await store.get(`name${failures}`)).not.toBeNull();
      clock.advance({ seconds: 1 });
      expect(await store.get(`name${failures}`)).toBeNull();
    }
  });

  it("remembers names of a flood only as long as the limits need, and those known before as long as before", async () => {
    const { clock, store, of } = start(false);
    const one = await createFlood(store, () => clock.now() / 1000);
    clock.advance({ seconds: 3_599 });
    expect([await store.get("flood0"), await store.get("flood10000")].map((text) => text === null)).toEqual([
      false,
      true,
    ]);
    await one("flood0");
    clock.advance({ days: 1 });
    expect(await store.get("flood0")).not.toBeNull();
    expect(await of("someone").take()).toBe(0);
  });

  it("waits longer and longer, up to a minute, and a try that comes too early does not count", async () => {
    const { clock, of } = start(true);
    const tries = of("ann");
    for (let n = 0; n < 3; n++) await tries.take();
    const waits = [];
    for (let n = 0; n < 8; n++) {
      const wait = await tries.take();
      waits.push(wait);
      clock.advance({ seconds: wait - 1 });
      expect(await tries.take()).toBe(1);
      clock.advance({ seconds: 1 });
      expect(await tries.take()).toBe(0);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });
});

/** Tries more names than are remembered in an hour; resolves to what tries one more. */
async function createFlood(store: Store, now: () => number) {
  const limiter = createLimiter({ store, marker: "marker", now, random: () => "mark", onStoreDown: "local" });
  const take = (name: string) => limiter.take([{ key: name, own: name, limits: [], row: "steady" }]);
  for (let n = 0; n <= 10_000; n++) await take(`flood${n}`);
  return take;
}
