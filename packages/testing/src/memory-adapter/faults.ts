import type { AdapterMethod } from "@cardea/core/adapters";

export type { AdapterMethod };

/** The kind of failure: a rejection with any value, a call that never settles, a delay, or a wrong result. */
export type AdapterFailure =
  | { readonly throws: unknown }
  | { readonly hangs: true }
  | { readonly delayMs: number }
  | { readonly returns: unknown };

/** A failure, and the calls that it affects. */
export type AdapterFault = AdapterFailure & {
  /** The method whose calls are counted and fail; default: all methods. */
  readonly method?: AdapterMethod;
  /** The first call that fails, counted from when the fault is set; default 1, the next call. */
  readonly call?: number;
  /** Number of calls that fail, starting with that one; default 1. `Infinity`: all. */
  readonly times?: number;
  /** `before` (default): the database did nothing. `after`: the operation succeeded, but its result is lost. */
  readonly when?: "before" | "after";
};

/** The faults of an adapter. */
export interface Faults {
  add(fault: AdapterFault): void;
  clear(): void;
  /** Counts a call; returns the first fault that affects it. */
  take(method: AdapterMethod): AdapterFault | undefined;
}

/** Creates an empty list of faults. */
export function createFaults(): Faults {
  let pending: { readonly fault: AdapterFault; seen: number }[] = [];
  return {
    add(fault) {
      pending.push({ fault, seen: 0 });
    },
    clear() {
      pending = [];
    },
    take(method) {
      const counted = pending.filter(({ fault }) => fault.method === undefined || fault.method === method);
      for (const entry of counted) entry.seen++;
      return counted.find(({ fault: { call = 1, times = 1 }, seen }) => seen >= call && seen < call + times)?.fault;
    },
  };
}

/** Calls `run`, with the failure before or after it. */
export async function strike(fault: AdapterFault, run: () => unknown): Promise<unknown> {
  if (fault.when !== "after") return applyFailure(fault, run);
  const result = await run();
  return applyFailure(fault, () => result);
}

async function applyFailure(failure: AdapterFailure, otherwise: () => unknown): Promise<unknown> {
  if ("throws" in failure) throw failure.throws;
  if ("hangs" in failure) return new Promise(() => undefined);
  if ("returns" in failure) return failure.returns;
  await new Promise((resolve) => setTimeout(resolve, failure.delayMs));
  return otherwise();
}
