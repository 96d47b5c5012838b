import { guardStore } from "../application/guard-store.ts";
import { sha256 } from "../crypto/primitives.ts";
import type { VerificationToken } from "../model/adapter.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Seconds } from "../model/units.ts";
import type { Accounts } from "../session/accounts.ts";
import { callAdapter, type Database } from "./call-adapter.ts";

/** Longer than a database call may take. */
const LOCK_LIFETIME: Seconds = 30;

type Key = Pick<VerificationToken, "identifier" | "token">;

/** Runs a call that consumes a verification token; see {@link createConsumer}. */
type Consumer = <T>(config: Pick<ResolvedConfig, "store">, key: Key, call: () => Promise<T>) => Promise<T | null>;

/**
 * Creates a function that runs a call which consumes a verification token, unless another request is consuming the same one. Many
 * adapters read the record and then delete it, so that all of several concurrent callers would receive it.
 *
 * 1. In one process: the first call runs.
 * 2. With a store: the first call of all processes runs.
 *
 * The function returns null if another request is consuming the token, and throws errors of the call and of the store. After an error of
 * the store, nothing was consumed.
 */
export function createConsumer(): Consumer {
  const consuming = new Set<string>();
  return async ({ store }, { identifier, token }, call) => {
    const key = `cardea:token:${await sha256(JSON.stringify([identifier, token]))}`;
    if (consuming.has(key)) return null;
    consuming.add(key);
    try {
      // An adapter may have a member of this name that is something else.
      if (store?.swap === undefined) return await call();
      const lock = guardStore(store);
      if (!(await lock.set(key, "1", { ttl: LOCK_LIFETIME, ifAbsent: true }))) return null;
      // If it cannot be removed, the lock expires by itself.
      return await call().finally(() => lock.swap(key, "1", null, { ttl: LOCK_LIFETIME }).catch(() => false));
    } finally {
      consuming.delete(key);
    }
  };
}

/** One for all applications of the process, because a configuration may be created for each request. */
const consumeOnce: Consumer = createConsumer();

/**
 * Deletes a verification token and returns it to one of several concurrent requests. Use it instead of `callAdapter`, which trusts the
 * adapter to delete atomically.
 *
 * @returns null if there is none, or another request is consuming it.
 * @throws AdapterError, and errors of the store.
 */
export async function consumeToken(config: Database, key: Key): Promise<VerificationToken | null> {
  const record = await consumeOnce(config, key, () => callAdapter(config, "useVerificationToken", key));
  const { identifier, token } = key;
  // An adapter that compared only the identifier would accept any token (CVE-2022-39263).
  return record?.identifier === identifier && (record.token ?? token) === token
    ? { identifier, token, expires: record.expires }
    : null;
}

/** The records of a database. */
export function openRecords(database: Database): Accounts["records"] {
  return {
    call: (name, ...args) => callAdapter(database, name, ...args),
    consume: (key) => consumeToken(database, key),
  };
}
