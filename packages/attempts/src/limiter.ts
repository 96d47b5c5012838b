import type { Seconds, Store } from "@cardea/core/extend";
import { bucketOf, createLocalCounts } from "./local-counts.ts";
import type { Limit } from "./parse-limits.ts";

/** What one limit counts for one subject. */
export interface Budget {
  /** Without anything that can be guessed in clear. */
  readonly key: string;
  readonly limit: Limit;
}

/** Whether a try is within its budget. */
type BudgetVerdict =
  | { readonly allow: true; readonly degraded: boolean }
  | { readonly allow: false; readonly retryAfter: Seconds; readonly degraded: boolean };

/** What a limiter is made with. */
export interface LimiterParts {
  readonly store: Store;
  /** Where the store says whether it has lost everything since this process last asked. */
  readonly marker: string;
  /** Seconds since the epoch. */
  readonly now: () => number;
  readonly random: () => string;
  /** What happens while the store is away: a quarter of the numbers in each process, or nothing is let through. */
  readonly onStoreDown: "local" | "deny";
}

/** Takes tries from budgets. */
export interface Limiter {
  take(budget: Budget): Promise<BudgetVerdict>;
  /** Gives a budget back whole. */
  reset(budget: Budget): Promise<void>;
}

/**
 * Counts tries so that never more than `times` are let through in any interval, over all processes that share the store.
 *
 * 1. A try counts in the bucket of now. Two neighbouring buckets cover any interval of their length, so both count in full.
 * 2. A try that is refused is taken out again: who waits is let through.
 * 3. While the store is away each process goes on with a quarter of the number, in which counts what it let through before.
 * 4. A store that was away or emptied may not know what was let through: for as long as that matters both rules hold.
 *
 * So with `p` processes an outage lets through at most `times * (1 + (p - 1) / 4)` in an interval.
 */
export function createLimiter({ store, marker, now, random, onStoreDown }: LimiterParts): Limiter {
  const local = createLocalCounts();
  let known: string | undefined;
  let doubtful = Number.NEGATIVE_INFINITY;

  const isDoubtful = ({ interval }: Limit): boolean => now() < doubtful + 2 * interval;
  const quarterOf = ({ times }: Limit): number => Math.max(1, Math.floor(times / 4));

  /** Notes that the store lost what it had: its marker is another one. */
  const checkMarker = async (): Promise<void> => {
    let mark = await store.get(marker);
    if (mark === null) {
      await store.set(marker, random(), { ttl: null, ifAbsent: true });
      mark = await store.get(marker);
    }
    if (known !== undefined && known !== mark) doubtful = now();
    known = mark ?? undefined;
  };

  /** How long to wait; 0: it is within the budget. */
  const takeShared = async ({ key, limit }: Budget): Promise<Seconds> => {
    const bucket = bucketOf(now(), limit.interval);
    const current = `${key}:${bucket}`;
    const life = { ttl: 2 * limit.interval + 60 };
    await checkMarker();
    const { value } = await store.add(current, 1, life);
    const before = Number((await store.get(`${key}:${bucket - 1}`)) ?? 0);
    if (value + before <= limit.times) return 0;
    await store.add(current, -1, life);
    return waitOf(limit, now(), value > limit.times);
  };

  const isWithinQuarter = ({ key, limit }: Budget): boolean =>
    local.count(key, limit.interval, now()) < quarterOf(limit);

  return {
    async take(budget) {
      const { key, limit } = budget;
      let wait: Seconds;
      try {
        wait = await takeShared(budget);
      } catch {
        // The store is away: what that means is decided here, and reported by the caller.
        doubtful = now();
        wait = onStoreDown === "local" ? 0 : waitOf(limit, now(), false);
      }
      const degraded = isDoubtful(limit);
      // No waiting between the look and the count: tries at the same moment cannot pass together.
      if (wait === 0 && degraded && !isWithinQuarter(budget)) wait = waitOf(limit, now(), true);
      if (wait > 0) return { allow: false, retryAfter: wait, degraded };
      local.add(key, limit.interval, now());
      return { allow: true, degraded };
    },
    async reset({ key, limit }) {
      local.clear(key);
      const bucket = bucketOf(now(), limit.interval);
      for (const name of [`${key}:${bucket}`, `${key}:${bucket - 1}`]) {
        const text = await store.get(name);
        if (text !== null) await store.swap(name, text, null, { ttl: null });
      }
    },
  };
}

/** Until the bucket that is full no longer counts: the one before when the next one begins, the one of now a whole interval later. */
function waitOf({ interval }: Limit, now: Seconds, isNowFull: boolean): Seconds {
  return Math.max(1, Math.ceil(interval - (now % interval))) + (isNowFull ? interval : 0);
}
