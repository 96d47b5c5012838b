import type { AdapterMethod } from "@cardea/core/adapters";

export type { AdapterMethod };

/** What goes wrong: a rejection with any value, an answer that never comes, one that comes late, or a wrong one. */
export type AdapterFailure =
  | { readonly throws: unknown }
  | { readonly hangs: true }
  | { readonly delayMs: number }
  | { readonly returns: unknown };

/** A failure, and the call that it strikes. */
export type AdapterFault = AdapterFailure & {
  /** Only calls of this method are struck and counted; default: calls of all methods. */
  readonly method?: AdapterMethod;
  /** The first call that is struck, counted from 1 when the fault is set; default 1, the next one. */
  readonly call?: number;
  /** How many calls are struck from that one on; default 1. `Infinity`: all. */
  readonly times?: number;
  /** `before` the database did anything (default), or `after` it did what it was asked to: the answer is lost. */
  readonly when?: "before" | "after";
};

/** The faults that are set. */
export interface Faults {
  add(fault: AdapterFault): void;
  clear(): void;
  /** Counts a call; returns the first fault that strikes it. */
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

/** Does what `run` does, with the failure before or after it. */
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
