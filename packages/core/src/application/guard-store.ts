import { toError } from "../model/auth-error.ts";
import type { Store } from "../model/store.ts";
import { withTimeout } from "./with-timeout.ts";

/**
 * How long a store may take. It answers within milliseconds or not at all: clients of Redis hold commands back while they are not
 * connected, and a request must not wait for that.
 */
const STORE_TIMEOUT_MS = 2_000;

const guarded = new WeakMap<Store, Store>();

/** The same store, whose calls reject when they take too long or throw. One for each store. */
export function guardStore(store: Store): Store {
  const known = guarded.get(store);
  if (known !== undefined) return known;
  const { log, scope } = store;
  const guard: Store = {
    get: (key) => limited(() => store.get(key)),
    set: (key, value, o) => limited(() => store.set(key, value, o)),
    add: (key, by, o) => limited(() => store.add(key, by, o)),
    swap: (key, expected, next, o) => limited(() => store.swap(key, expected, next, o)),
    ...(scope === undefined ? {} : { scope }),
    ...(log === undefined
      ? {}
      : {
          log: {
            append: (name, entry, o) => limited(() => log.append(name, entry, o)),
            since: (name, after, o) => limited(() => log.since(name, after, o)),
          },
        }),
  };
  guarded.set(store, guard);
  return guard;
}

const failures = new WeakSet<Error>();

/** Whether an error is that of a call to a guarded store. */
export function isOfStore(error: unknown): boolean {
  return error instanceof Error && failures.has(error);
}

async function limited<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(STORE_TIMEOUT_MS, call());
  } catch (thrown) {
    const error = toError(thrown);
    failures.add(error);
    throw error;
  }
}
