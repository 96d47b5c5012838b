import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VerificationToken } from "../model/adapter.ts";
import type { Store } from "../model/store.ts";
import { memoryStore } from "../store/memory-store.ts";
import { createConsumer } from "./consume-token.ts";

const key = { identifier: "ann@example.com", token: "hash" };

/** A database whose records are read and then deleted, each step when the scheduler lets it. */
function twoSteps(scheduler: fc.Scheduler) {
  const records = new Set(["hash"]);
  const call = async (): Promise<Pick<VerificationToken, "token"> | null> => {
    const isFound = await scheduler.schedule(Promise.resolve(), "read").then(() => records.has("hash"));
    if (!isFound) return null;
    await scheduler.schedule(Promise.resolve(), "delete");
    records.delete("hash");
    return { token: "hash" };
  };
  return { records, call };
}

/** How many of the callers of each process receive the record. */
async function receivers(
  scheduler: fc.Scheduler,
  processes: readonly number[],
  store = memoryStore(),
  isGuarded = true,
) {
  const { records, call } = twoSteps(scheduler);
  const calls = processes.flatMap((callers) => {
    const consume = createConsumer();
    return Array.from({ length: callers }, () => (isGuarded ? consume({ store }, key, call) : call()));
  });
  await scheduler.waitFor(Promise.all(calls));
  const found = (await Promise.all(calls)).filter((record) => record !== null);
  return { found: found.length, left: records.size };
}

const processes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });

describe("createConsumer()", () => {
  it("gives a record to one caller of all processes, whatever the order of their reads and deletions", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), processes, async (scheduler, list) => {
        expect(await receivers(scheduler, list)).toEqual({ found: 1, left: 0 });
      }),
    );
  });

  it("is needed: without it, some order gives the record to several callers", async () => {
    const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      expect((await receivers(scheduler, [1, 1], memoryStore(), false)).found).toBe(1);
    });
    expect((await fc.check(property, { endOnFailure: true })).failed).toBe(true);
  });

  it("gives a record to one caller of a process without a store", async () => {
    const consume = createConsumer();
    const free = { store: undefined };
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = consume(free, key, () => held.then(() => "record"));
    expect(await consume(free, key, async () => "same record")).toBeNull();
    expect(await consume(free, { ...key, token: "other" }, async () => "other record")).toBe("other record");
    release();
    expect(await first).toBe("record");
    expect(await consume(free, key, async () => "restored record")).toBe("restored record");
  });

  it("ignores a member `store` of an adapter that is something else", async () => {
    const store: unknown = new Map();
    // What an adapter of another library may have.
    const config = { store } as { store: Store };
    expect(await createConsumer()(config, key, async () => "record")).toBe("record");
  });

  it("can be called again after the database failed", async () => {
    const consume = createConsumer();
    const store = memoryStore();
    await expect(consume({ store }, key, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(await consume({ store }, key, async () => "record")).toBe("record");
  });

  it("consumes nothing while the store is unavailable, and does not wait for the lock of a process that ended", async () => {
    const store = memoryStore();
    const calls: string[] = [];
    const call = async () => calls.push("called");
    const broken = { ...store, set: () => Promise.reject(new Error("store down")) };
    await expect(createConsumer()({ store: broken }, key, call)).rejects.toThrow("store down");
    const stuck = { ...store, swap: () => Promise.reject(new Error("store down")) };
    expect(await createConsumer()({ store: stuck }, key, call)).toBe(1);
    expect(await createConsumer()({ store }, key, call)).toBeNull();
    expect(calls).toEqual(["called"]);
  });
});
