import type { Seconds } from "@cardea/extend";
import { bucketOf } from "./tried.ts";

/** The maximum number of subjects; the oldest are dropped first. */
const MAX_BUDGETS = 50_000;

interface Counted {
  readonly bucket: number;
  readonly now: number;
  readonly before: number;
}

/** Attempts that this process allowed in the current and the previous bucket. */
export interface LocalCounts {
  /** The count of both buckets. */
  count(key: string, interval: Seconds, now: Seconds): number;
  add(key: string, interval: Seconds, now: Seconds): void;
  /** Removes from the counts of `key` what was counted under `own`. */
  takeBack(key: string, own: string, interval: Seconds, now: Seconds): void;
}

/** Creates the counts of one process, which use at most a few megabytes. */
export function createLocalCounts(): LocalCounts {
  const counts = new Map<string, Counted>();
  const at = (key: string, bucket: number): Counted => {
    const found = counts.get(key);
    if (found?.bucket === bucket) return found;
    return { bucket, now: 0, before: found?.bucket === bucket - 1 ? found.now : 0 };
  };
  return {
    count(key, interval, now) {
      const { now: current, before } = at(key, bucketOf(now, interval));
      return current + before;
    },
    add(key, interval, now) {
      const counted = at(key, bucketOf(now, interval));
      // Inserted again to keep the map ordered by last use.
      counts.delete(key);
      counts.set(key, { ...counted, now: counted.now + 1 });
      const [oldest] = counts.size > MAX_BUDGETS ? counts.keys() : [];
      if (oldest !== undefined) counts.delete(oldest);
    },
    takeBack(key, own, interval, now) {
      const bucket = bucketOf(now, interval);
      const [all, mine] = [at(key, bucket), at(own, bucket)];
      counts.delete(own);
      const left = { now: Math.max(0, all.now - mine.now), before: Math.max(0, all.before - mine.before) };
      if (left.now + left.before === 0) counts.delete(key);
      else counts.set(key, { bucket, ...left });
    },
  };
}
