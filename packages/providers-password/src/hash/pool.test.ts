import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPool, PoolFull, parallelFor, threadsOf } from "./pool.ts";

const GIB = 2 ** 30;

describe("createPool()", () => {
  it("runs at most so many at a time, and each once, whatever fails", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        async (parallel, fates) => {
          const pool = createPool(parallel, 5);
          let running = 0;
          let most = 0;
          const work = (succeeds: boolean) => async () => {
            most = Math.max(most, ++running);
            await new Promise((resolve) => setImmediate(resolve));
            running--;
            if (!succeeds) throw new Error("failed");
            return true;
          };
          const results = await Promise.allSettled(fates.map((fate) => pool.run(work(fate))));
          expect(results.map(({ status }) => status === "fulfilled")).toEqual(fates);
          expect(most).toBeLessThanOrEqual(parallel);
          expect(running).toBe(0);
        },
      ),
    );
  });

  it("runs no more than its places hold, in the order of arrival, and what takes more than all of them alone", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 30 }),
        async (parallel, sizes) => {
          const pool = createPool(parallel, 5);
          const running = new Set<number>();
          const begun: number[] = [];
          const taken = () => [...running].reduce((sum, index) => sum + (sizes[index] ?? 0), 0);
          const work = (index: number) => async () => {
            running.add(index);
            begun.push(index);
            expect(taken() <= parallel || running.size === 1).toBe(true);
            await new Promise((resolve) => setImmediate(resolve));
            running.delete(index);
          };
          await Promise.all(sizes.map((size, index) => pool.run(work(index), size)));
          expect(begun).toEqual([...sizes.keys()]);
        },
      ),
    );
  });

  it("refuses what waited too long, and goes on with the others", async () => {
    const pool = createPool(1, 0.05);
    let release = () => {};
    const first = pool.run(() => new Promise<void>((resolve) => (release = resolve)));
    await expect(pool.run(async () => 1)).rejects.toThrow(PoolFull);
    const waiting = pool.run(async () => 2);
    release();
    await first;
    expect(await waiting).toBe(2);
  });

  it("refuses one in each turn of the event loop, however many waited too long", async () => {
    const pool = createPool(1, 0.05);
    let release = () => {};
    const first = pool.run(() => new Promise<void>((resolve) => (release = resolve)));
    let turn = 0;
    let left = 50;
    const turns: number[] = [];
    for (let n = left; n > 0; n--) {
      pool
        .run(async () => n)
        .catch((error: unknown) => {
          left--;
          if (error instanceof PoolFull) turns.push(turn);
        });
    }
    for (; left > 0; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toHaveLength(50);
    expect(new Set(turns).size).toBe(50);
    release();
    await first;
  });

  it("refuses at once when a thousand wait", async () => {
    const pool = createPool(1, 5);
    let release = () => {};
    const first = pool.run(() => new Promise<void>((resolve) => (release = resolve)));
    const waiting = Array.from({ length: 1000 }, () => pool.run(async () => 1));
    await expect(pool.run(async () => 1)).rejects.toThrow(PoolFull);
    release();
    await first;
    expect(await Promise.all(waiting)).toHaveLength(1000);
  });
});

describe("parallelFor()", () => {
  it.each([
    [{ cores: 2, threads: 4, memory: 8 * GIB }, 1],
    [{ cores: 8, threads: 4, memory: 8 * GIB }, 2],
    [{ cores: 8, threads: 16, memory: 8 * GIB }, 7],
    [{ cores: 8, threads: 16, memory: GIB / 2 }, 1],
    [{ cores: 1, threads: 4, memory: GIB }, 1],
  ])("of %j is %i", (machine, expected) => {
    expect(parallelFor(machine, 128 * 2 ** 20)).toBe(expected);
  });
});

describe("threadsOf()", () => {
  it.each([
    [undefined, 4],
    ["16", 16],
    ["1", 1],
    ["0", 1],
    ["many", 1],
    ["-1", 1024],
    ["5000", 1024],
  ])("of %j is %i", (text, expected) => {
    expect(threadsOf(text)).toBe(expected);
  });
});
