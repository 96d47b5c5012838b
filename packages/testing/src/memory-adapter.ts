import { type AdapterFault, type AdapterMethod, createFaults, type Faults, strike } from "./memory-adapter/faults.ts";
import { createMethods, type FullAdapter } from "./memory-adapter/methods.ts";
import { createTables, type MemoryData, snapshotTables } from "./memory-adapter/tables.ts";

/** A recorded call of an adapter method; `args` are copies. */
export interface AdapterCall {
  /** The method that was called. */
  readonly method: AdapterMethod;
  /** Its arguments, in order. */
  readonly args: readonly unknown[];
}

/** Settings of {@link createMemoryAdapter}. */
export interface MemoryAdapterOptions {
  /** Initial rows, including ids. References to missing users are not checked. */
  readonly seed?: Partial<MemoryData>;
  /** Whether expired session rows are returned, as by most databases; default false. */
  readonly returnExpired?: boolean;
  /** Whether users keep the id that they are created with; default false: ids are assigned, as in most tables. */
  readonly keepIds?: boolean;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
}

/** An in-memory adapter with controls for tests. */
export interface MemoryAdapter {
  /** For `adapter` in the configuration; has every optional method. */
  readonly adapter: FullAdapter;
  /** All calls so far, in order, including failed ones. */
  readonly calls: readonly AdapterCall[];
  /** A copy of every row. */
  snapshot(): MemoryData;
  /** Adds a fault; several may be set. A fault has no effect after it occurred the specified number of times. */
  fail(fault: AdapterFault): void;
  /** Removes all faults. */
  heal(): void;
}

/**
 * Wraps the adapter to record calls and apply faults. A plain object, because it may be frozen with a configuration.
 */
function observe(methods: FullAdapter, calls: AdapterCall[], faults: Faults): FullAdapter {
  const isMethod = (key: PropertyKey): key is AdapterMethod => Object.hasOwn(methods, key);
  const watched = Object.entries(methods).map(([name, method]: [string, unknown]) => {
    if (typeof method !== "function" || !isMethod(name)) return [name, method];
    const call = async (...args: unknown[]) => {
      const given = structuredClone(args);
      calls.push({ method: name, args: structuredClone(args) });
      const fault = faults.take(name);
      // Databases are asynchronous: let concurrent work run first.
      await null;
      const run = (): unknown => Reflect.apply(method, undefined, given);
      return fault ? strike(fault, run) : run();
    };
    return [name, call];
  });
  return assumeAdapter(Object.fromEntries(watched));
}

/** A cast: the object has all members of the adapter. */
function assumeAdapter(members: object): FullAdapter {
  return members as FullAdapter;
}

/**
 * Creates an in-memory adapter that behaves like a correct database: all methods, unique keys, foreign keys, cascading
 * deletes, atomic single use, and copies of all data. User ids are generated (`user-1`) unless `keepIds` is set.
 *
 * Methods reject if a unique key already exists, a row references a missing user, the user or authenticator to update
 * does not exist, or a fault is set.
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
