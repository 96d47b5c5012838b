import type { Store } from "../model/store.ts";
import { withTimeout } from "./with-timeout.ts";

/**
 * How long a store may take. It answers within milliseconds or not at all: clients of Redis hold commands back while they are not
 * connected, and a request must not wait for that.
 */
const STORE_TIMEOUT_MS = 2_000;

const guarded = new WeakMap<Store, Store>();

/** The same store, whose calls reject when they take too long. One for each store. */
export function guardStore(store: Store): Store {
  const known = guarded.get(store);
  if (known !== undefined) return known;
  const { log } = store;
  const guard: Store = {
    get: (key) => withTimeout(STORE_TIMEOUT_MS, store.get(key)),
    set: (key, value, o) => withTimeout(STORE_TIMEOUT_MS, store.set(key, value, o)),
    add: (key, by, o) => withTimeout(STORE_TIMEOUT_MS, store.add(key, by, o)),
    swap: (key, expected, next, o) => withTimeout(STORE_TIMEOUT_MS, store.swap(key, expected, next, o)),
    ...(log === undefined
      ? {}
      : {
          log: {
            append: (name, entry, o) => withTimeout(STORE_TIMEOUT_MS, log.append(name, entry, o)),
            since: (name, after) => withTimeout(STORE_TIMEOUT_MS, log.since(name, after)),
          },
        }),
  };
  guarded.set(store, guard);
  return guard;
}
