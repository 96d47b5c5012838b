import type { Awaitable } from "../model/records.ts";
import type { Counter, Store, StoreLife } from "../model/store.ts";
import { retryChange } from "./retry-change.ts";

/** Opens the counter with a key. */
export function openCounter(store: Store, key: Awaitable<string>, life: StoreLife): Counter {
  const what = "A counter in the store";
  return {
    read: async () => parseCounter(await store.get(await key)),
    async raise(floor = 0) {
      const name = await key;
      return retryChange(async () => {
        const text = await store.get(name);
        const former = Math.max(floor, parseCounter(text));
        const value = Math.max(former + 1, Math.floor(Date.now() / 1000));
        return (await store.swap(name, text, String(value), life)) ? { value, former } : undefined;
      }, what);
    },
    async restore(value) {
      const name = await key;
      await retryChange(async () => {
        const text = await store.get(name);
        return parseCounter(text) >= value || (await store.swap(name, text, String(value), life)) || undefined;
      }, what);
    },
  };
}

function parseCounter(text: string | null): number {
  const value = Number(text ?? 0);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error("A counter in the store is not an integer.");
}
