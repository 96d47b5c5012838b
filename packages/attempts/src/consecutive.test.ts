import { memoryStore } from "@cardea/core/adapters";
import { createClock } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { triesInARow } from "./consecutive.ts";

function start(grows: boolean) {
  const clock = createClock();
  const store = memoryStore({ now: clock.now });
  const now = () => Math.floor(clock.now() / 1000);
  return {
    clock,
    of: (name: string, exact = name) => triesInARow(store, { all: name, own: `${name}=${exact}` }, now, grows),
  };
}

describe("triesInARow()", () => {
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
    const of = (now: number) => triesInARow(store, { all: "ann", own: "ann=ann" }, () => now, true);
    for (let n = 0; n < 3; n++) await of(3600).take();
    expect(await of(60).take()).toBe(1);
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
