import { type AdapterFault, type AdapterMethod, createFaults, type Faults, strike } from "./memory-adapter/faults.ts";
import { createMethods, type FullAdapter } from "./memory-adapter/methods.ts";
import { createTables, type MemoryData, snapshotTables } from "./memory-adapter/tables.ts";

/** A call of an adapter method as it was made; `args` are copies. */
export interface AdapterCall {
  readonly method: AdapterMethod;
  readonly args: readonly unknown[];
}

/** Settings of {@link createMemoryAdapter}. */
export interface MemoryAdapterOptions {
  /** Rows that are there from the start, ids included. Not checked for users who are not there. */
  readonly seed?: Partial<MemoryData>;
  /** True: session rows that have expired are handed out too, as most databases do; default false. */
  readonly returnExpired?: boolean;
  /** True: users keep the id that they are created with; default false, ids are assigned as most tables do. */
  readonly keepIds?: boolean;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
}

/** An adapter whose database is this process's memory, and what a test does with it. */
export interface MemoryAdapter {
  readonly adapter: FullAdapter;
  /** Every call so far, in order, also those that failed. */
  readonly calls: readonly AdapterCall[];
  /** A copy of every row. */
  snapshot(): MemoryData;
  /** Sets a fault; several may be set. A fault that has struck as often as it says does nothing more. */
  fail(fault: AdapterFault): void;
  /** Removes all faults. */
  heal(): void;
}

/** The adapter with every call recorded and, where a fault is set, struck. A plain object: it may be frozen with a configuration. */
function observe(methods: FullAdapter, calls: AdapterCall[], faults: Faults): FullAdapter {
  const isMethod = (key: PropertyKey): key is AdapterMethod => Object.hasOwn(methods, key);
  const watched = Object.entries(methods).map(([name, method]: [string, unknown]) => {
    if (typeof method !== "function" || !isMethod(name)) return [name, method];
    const call = async (...args: unknown[]) => {
      const given = structuredClone(args);
      calls.push({ method: name, args: structuredClone(args) });
      const fault = faults.take(name);
      // A database is never done at once: what others do in the meantime comes first.
      await null;
      const run = (): unknown => Reflect.apply(method, undefined, given);
      return fault ? strike(fault, run) : run();
    };
    return [name, call];
  });
  return assumeAdapter(Object.fromEntries(watched));
}

/** Has the members of what it was made of. */
function assumeAdapter(members: object): FullAdapter {
  return members as FullAdapter;
}

/**
 * Creates an adapter in memory that does what a good database does: every method, unique keys, foreign keys, rows that
 * go with their user, atomic single use, nothing shared with its callers. Users get ids of its own (`user-1`), unless
 * `keepIds` is set.
 *
 * It rejects when a unique key is taken, when a row names a user who is not there, when a user or an authenticator to
 * update is not there, and when a fault says so.
 */
export function createMemoryAdapter(options: MemoryAdapterOptions = {}): MemoryAdapter {
  const { seed = {}, returnExpired = false, keepIds = false, now = () => Date.now() } = options;
  const tables = createTables(seed);
  const calls: AdapterCall[] = [];
  const faults = createFaults();
  let users = 0;
  const methods = createMethods({
    tables,
    newId: (proposed) => {
      if (keepIds && proposed) return proposed;
      do users++;
      while (tables.users.find(({ id }) => id === `user-${users}`));
      return `user-${users}`;
    },
    now,
    isVisible: ({ expires }) => returnExpired || expires.getTime() > now(),
  });
  return {
    adapter: observe(methods, calls, faults),
    calls,
    snapshot: () => snapshotTables(tables),
    fail: faults.add,
    heal: faults.clear,
  };
}
