import type { Seconds, Store } from "@cardea/core/extend";
import { bucketOf, createLocalCounts } from "./local-counts.ts";
import type { Limit } from "./parse-limits.ts";
import { takeBack } from "./take-back.ts";

/** One limit, applied to one subject. */
export interface Budget {
  /** Store key of the subject, with all spellings of its name. Contains no guessable value in clear text. */
  readonly key: string;
  /** Store key of the exact name. {@link Limiter.reset} removes what was counted under it. Absent: nothing is reset. */
  readonly own?: string;
  readonly limit: Limit;
}

/** Whether an attempt is within its limit. */
type BudgetVerdict =
  | { readonly allow: true; readonly degraded: boolean }
  | { readonly allow: false; readonly retryAfter: Seconds; readonly degraded: boolean };

/** Dependencies of a limiter. */
export interface LimiterParts {
  readonly store: Store;
  /** Store key that shows whether the store was emptied since this process last checked. */
  readonly marker: string;
  /** Seconds since the epoch. */
  readonly now: () => number;
  readonly random: () => string;
  /**
   * What happens while the store is unavailable: each process allows a quarter of the limit, or all attempts are
   * rejected.
   */
  readonly onStoreDown: "local" | "deny";
}

/** Counts attempts against limits. */
export interface Limiter {
  take(budget: Budget): Promise<BudgetVerdict>;
  /** Removes the attempts of the exact name from the count. */
  reset(budget: Budget): Promise<void>;
}

/**
 * Counts attempts so that at most `times` are allowed in any interval, across all processes that share the store.
 *
 * 1. An attempt counts in the current bucket. Two adjacent buckets cover any interval of their length, so both count in
 *    full.
 * 2. A rejected attempt is not counted: a client that waits is allowed again.
 * 3. While the store is unavailable, each process allows a quarter of the number, including what it allowed before.
 * 4. A store that was unavailable or emptied may have missed attempts. Until these no longer matter, both rules apply.
 *
 * With `p` processes, at most `times * (1 + (p - 1) / 4)` attempts are allowed in an interval during an outage.
 */
export function createLimiter({ store, marker, now, random, onStoreDown }: LimiterParts): Limiter {
  const local = createLocalCounts();
  let known: string | undefined;
  let doubtful = Number.NEGATIVE_INFINITY;

  const isDoubtful = ({ interval }: Limit): boolean => now() < doubtful + 2 * interval;
  const quarterOf = ({ times }: Limit): number => Math.max(1, Math.floor(times / 4));

  /** Detects that the store was emptied: its marker changed. */
  const checkMarker = async (): Promise<void> => {
    let mark = await store.get(marker);
    if (mark === null) {
      await store.set(marker, random(), { ttl: null, ifAbsent: true });
      mark = await store.get(marker);
    }
    if (known !== undefined && known !== mark) doubtful = now();
    known = mark ?? undefined;
  };

  /** How long to wait; 0 if the attempt is within the limit. */
  const takeShared = async ({ key, own, limit }: Budget): Promise<Seconds> => {
    const bucket = bucketOf(now(), limit.interval);
    const current = `${key}:${bucket}`;
    const life = { ttl: 2 * limit.interval + 60 };
    await checkMarker();
    const { value } = await store.add(current, 1, life);
    const before = Number((await store.get(`${key}:${bucket - 1}`)) ?? 0);
    if (value + before <= limit.times) {
      if (own !== undefined) await store.add(`${own}:${bucket}`, 1, life);
      return 0;
    }
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
        // The store is unavailable: handled here, reported by the caller.
        doubtful = now();
        wait = onStoreDown === "local" ? 0 : waitOf(limit, now(), false);
      }
      const degraded = isDoubtful(limit);
      // No await between check and count, so that concurrent attempts cannot all pass.
      if (wait === 0 && degraded && !isWithinQuarter(budget)) wait = waitOf(limit, now(), true);
      if (wait > 0) return { allow: false, retryAfter: wait, degraded };
      local.add(key, limit.interval, now());
      if (budget.own !== undefined) local.add(budget.own, limit.interval, now());
      return { allow: true, degraded };
    },
    async reset({ key, own, limit }) {
      if (own === undefined) return;
      local.takeBack(key, own, limit.interval, now());
      const bucket = bucketOf(now(), limit.interval);
      for (const one of [bucket, bucket - 1])
        await takeBack(store, { all: `${key}:${one}`, own: `${own}:${one}` }, 2 * limit.interval + 60);
    },
  };
}

/**
 * Time until the full bucket no longer counts: the previous one ends with the next bucket, the current one an interval
 * later.
 */
function waitOf({ interval }: Limit, now: Seconds, isNowFull: boolean): Seconds {
  return Math.max(1, Math.ceil(interval - (now % interval))) + (isNowFull ? interval : 0);
}
