import { memoryStore, type Store, type StoreLog } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { createClock } from "./clock.ts";
import type { StoreNeed, StoreUnderTest } from "./store-contract/contract-test.ts";
import { storeContract } from "./store-contract.ts";

/** Runs the contract on a store; resolves to the names of all its tests, and of those that fail. */
async function run(makeStore: () => StoreUnderTest, lacks: readonly StoreNeed[] = ["hold", "lose", "checkpoint"]) {
  const tests: { name: string; body: () => Promise<void> }[] = [];
  const framework = {
    describe: (_: string, body: () => void) => body(),
    it: (name: string, body: () => Promise<void>) => void tests.push({ name, body }),
    expect,
  };
  storeContract(framework, makeStore, { lacks });
  const failed: string[] = [];
  for (const { name, body } of tests) await body().catch(() => failed.push(name));
  return { failed, names: tests.map(({ name }) => name) };
}

/** A store that is right but for what `change` makes of it. */
function broken(change: (right: Store, log: StoreLog) => Partial<Store>): () => StoreUnderTest {
  return () => {
    const clock = createClock();
    const right = memoryStore({ now: clock.now });
    if (right.log === undefined) throw new Error("the store in memory has a log");
    const store = { ...right, ...change(right, right.log) };
    return { store, advance: (seconds) => void clock.advance({ seconds }) };
  };
}

const faults: [string, string, () => StoreUnderTest][] = [
  [
    "gives the empty string for nothing",
    "returns null for a key that was never set",
    broken(({ get }) => ({ get: async (key) => (await get(key)) ?? "" })),
  ],
  [
    "takes an empty text for nothing",
    "stores text of any script and length, including empty text",
    broken(({ get }) => ({ get: async (key) => (await get(key)) || null })),
  ],
  [
    "folds the case of keys",
    "does not confuse keys that look alike",
    broken(({ get, set }) => ({
      get: (key) => get(key.toLowerCase()),
      set: (key, ...rest) => set(key.toLowerCase(), ...rest),
    })),
  ],
  [
    "ignores ifAbsent",
    "replaces a text, but not with ifAbsent",
    broken(({ set }) => ({ set: (key, value, { ttl }) => set(key, value, { ttl }) })),
  ],
  [
    "looks before it sets",
    "lets one of several concurrent callers set an absent key",
    broken(({ get, set }) => ({
      async set(key, value, o) {
        const before = await get(key);
        await null;
        return before !== null && o.ifAbsent === true ? false : set(key, value, { ttl: o.ttl });
      },
    })),
  ],
  [
    "looks before it swaps",
    "lets one of several concurrent callers take a text",
    broken(({ get, set, swap }) => ({
      async swap(key, expected, next, o) {
        if ((await get(key)) !== expected) return false;
        await null;
        if (next === null) await swap(key, expected, null, o);
        else await set(key, next, o);
        return true;
      },
    })),
  ],
  [
    "looks before it counts",
    "returns a different value to each concurrent caller",
    broken(({ get, set }) => ({
      async add(key, by, { ttl }) {
        const value = Number((await get(key)) ?? 0) + by;
        await set(key, String(value), { ttl });
        return { value, ttl };
      },
    })),
  ],
  [
    "gives a counter a new life with each call",
    "keeps the ttl of a counter's first call",
    broken(({ set, add }) => ({
      async add(key, by, { ttl }) {
        const { value } = await add(key, by, { ttl });
        await set(key, String(value), { ttl });
        return { value, ttl };
      },
    })),
  ],
  [
    "sets the keys before the entry",
    "sets the keys of an entry atomically with the entry",
    broken(({ set }, log) => ({
      log: {
        ...log,
        async append(name, entry, { ttl, keys = {} }) {
          for (const [key, value] of Object.entries(keys)) await set(key, value, { ttl });
          for (let n = 0; n < 10; n++) await null;
          return log.append(name, entry, { ttl });
        },
      },
    })),
  ],
  [
    "sets the keys after the entry",
    "sets the keys of an entry atomically with the entry",
    broken(({ set }, log) => ({
      log: {
        ...log,
        async append(name, entry, { ttl, keys = {} }) {
          const at = await log.append(name, entry, { ttl });
          for (let n = 0; n < 10; n++) await null;
          for (const [key, value] of Object.entries(keys)) await set(key, value, { ttl });
          return at;
        },
      },
    })),
  ],
  [
    "reads an entry again",
    "reads entries in order, each once",
    broken((_, log) => ({ log: { ...log, since: (name) => log.since(name, null) } })),
  ],
  [
    "gives new entries first",
    "stores every text unchanged, and keeps logs separate",
    broken((_, log) => ({
      log: {
        ...log,
        async since(name, after) {
          const found = await log.since(name, after);
          return { ...found, entries: found.entries.toReversed() };
        },
      },
    })),
  ],
];

describe("storeContract()", () => {
  it("passes a store that is right, and says what it did not test", async () => {
    const { failed, names } = await run(() => ({ store: memoryStore() }), ["advance", "hold", "lose", "checkpoint"]);
    expect({ failed, few: names.length < 20 }).toEqual({ failed: [], few: false });
    expect(names).not.toContain("shows concurrent appends in commit order");
    expect(names).toContain("the store lacks hold (tests left out: 2)");
  });

  it("fails where it cannot do something to the data and nothing says so", async () => {
    const { failed } = await run(() => ({ store: memoryStore() }), ["advance", "lose", "checkpoint"]);
    expect(failed).toEqual([
      "shows concurrent appends in commit order",
      "leaves no gap where an append was rolled back",
    ]);
  });

  it("leaves out the log of a store that has none", async () => {
    const { log: _, ...store } = memoryStore();
    const { failed, names } = await run(() => ({ store }), ["log", "advance", "hold", "lose", "checkpoint"]);
    expect({ failed, log: names.includes("reads entries in order, each once") }).toEqual({ failed: [], log: false });
  });

  it.each(faults)("notices a store that %s", async (_, test, makeStore) => {
    expect((await run(makeStore)).failed).toContain(test);
  });
});
