import { afterEach, describe, expect, it, vi } from "vitest";
import type { Store } from "../model/store.ts";
import { memoryStore } from "../store/memory-store.ts";
import { guardStore } from "./guard-store.ts";

const CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  get: (store) => store.get("k"),
  set: (store) => store.set("k", "v", { ttl: 1 }),
  add: (store) => store.add("k", 1, { ttl: 1 }),
  swap: (store) => store.swap("k", null, "v", { ttl: 1 }),
  "log.append": async (store) => store.log?.append("l", "e", { ttl: 1 }),
  "log.since": async (store) => store.log?.since("l", null),
};

/** A store, each call of which does what is given. */
function storeOf(call: () => Promise<never>): Store {
  return { get: call, set: call, add: call, swap: call, log: { append: call, since: call } };
}

describe("guardStore()", () => {
  afterEach(() => void vi.useRealTimers());

  it.each(Object.keys(CALLS))("%s: rejects where the store throws before it returns a promise", async (name) => {
    const store = guardStore(
      storeOf(() => {
        throw new Error("away");
      }),
    );
    await expect(CALLS[name]?.(store)).rejects.toThrow("away");
  });

  it.each(Object.keys(CALLS))("%s: rejects after two seconds where the store never answers", async (name) => {
    vi.useFakeTimers();
    const call = CALLS[name]?.(guardStore(storeOf(() => new Promise(() => {}))));
    const refused = expect(call).rejects.toThrow("2000 ms");
    await vi.advanceTimersByTimeAsync(2_000);
    await refused;
  });

  it("is one for each store, says who sees what is written, and has no log where the store has none", async () => {
    const store = memoryStore();
    expect(guardStore(store)).toBe(guardStore(store));
    expect(guardStore(store).scope).toBe(store.scope);
    const { log: _, ...without } = store;
    expect(guardStore(without).log).toBeUndefined();
  });
});
