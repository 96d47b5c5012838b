import { retryChange, type Seconds, type Store } from "@cardea/extend";
import { createLocalCounts } from "./local-counts.ts";
import { createNewNames } from "./new-names.ts";
import type { Limit } from "./parse-limits.ts";
import {
  type Counting,
  formatTried,
  lifeOf,
  parseTried,
  shortLifeOf,
  type Tried,
  waitFor,
  waitOf,
  withAttempt,
  withoutShare,
  withRow,
} from "./tried.ts";

/** The attempts of one subject: an account, one of its devices, a user, or a network address. */
export interface Budget extends Counting {
  /** Store key of the subject, with all spellings of its name. Contains no guessable value in clear text. */
  readonly key: string;
  /** Short form of the exact name; empty if there is none. */
  readonly own: string;
}

/** Whether an attempt is within its limits. */
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
  /** Counts an attempt before it is checked, so that concurrent attempts cannot all pass. Stops at the first rejection. */
  take(budgets: readonly Budget[]): Promise<BudgetVerdict>;
  /** Removes the attempts of the exact name, after a success. */
  reset(budget: Budget): Promise<void>;
}

/**
 * Counts attempts so that at most `times` are allowed in any interval, across all processes that share the store. What was tried
 * under a name is one entry of the store, changed by compare-and-set: one read, and one write if the attempt is allowed.
 *
 * 1. An attempt counts in the current bucket. Two adjacent buckets cover any interval of their length, so both count in
 *    full.
 * 2. A rejected attempt is not counted: a client that waits is allowed again.
 * 3. While the store is unavailable, each process allows a quarter of the number, including what it allowed before.
 *    Consecutive failures are not counted then.
 * 4. A store that was unavailable or emptied may have missed attempts. Until these no longer matter, both rules apply.
 *
 * With `p` processes, at most `times * (1 + (p - 1) / 4)` attempts are allowed in an interval during an outage.
 */
export function createLimiter(parts: LimiterParts): Limiter {
  const { store, now, onStoreDown } = parts;
  const local = createLocalCounts();
  const isRemembered = createNewNames();
  const doubt = createDoubt(parts);
  const quarterOf = ({ times }: Limit): number => Math.max(1, Math.floor(times / 4));

  /** How long to wait; 0 if the attempt is within the limits. */
  const takeShared = (budget: Budget): Promise<Seconds> =>
    retryChange(async () => {
      const text = await store.get(budget.key);
      const before = parseTried(text);
      const wait = waitFor(before, budget, now());
      if (wait > 0) return wait;
      const after = withAttempt(before, budget.own, budget, now());
      const ttl = text !== null || isRemembered(now()) ? lifeOf(after, budget) : shortLifeOf(budget);
      return (await store.swap(budget.key, text, formatTried(after), { ttl })) ? 0 : undefined;
    }, "The attempts of an account");

  const takeOne = async (budget: Budget): Promise<Seconds> => {
    const { limits, own } = budget;
    try {
      const wait = await takeShared(budget);
      if (wait > 0) return wait;
    } catch {
      // The store is unavailable: handled here, reported by the caller.
      doubt.begin();
      if (onStoreDown === "deny") return Math.max(...limits.map((limit) => waitOf(limit, now(), false)), 1);
    }
    const keys = limits.map((limit) => localKeys(budget, limit));
    // No await between check and count, so that concurrent attempts cannot all pass.
    for (const [n, limit] of limits.entries()) {
      const made = local.count(keys[n]?.all ?? "", limit.interval, now());
      if (doubt.concerns(limit) && made >= quarterOf(limit)) return waitOf(limit, now(), true);
    }
    for (const [n, { interval }] of limits.entries()) {
      local.add(keys[n]?.all ?? "", interval, now());
      if (own !== "") local.add(keys[n]?.own ?? "", interval, now());
    }
    return 0;
  };

  return {
    async take(budgets) {
      await doubt.check();
      const isDegraded = ({ limits }: Budget) => limits.some(doubt.concerns);
      for (const budget of budgets) {
        const wait = await takeOne(budget);
        if (wait > 0) return { allow: false, retryAfter: wait, degraded: isDegraded(budget) };
      }
      return { allow: true, degraded: budgets.some(isDegraded) };
    },
    async reset(budget) {
      for (const limit of budget.limits) {
        const { all, own } = localKeys(budget, limit);
        local.takeBack(all, own, limit.interval, now());
      }
      await changeTried(store, budget, (tried) => withoutShare(tried, budget.own));
    },
  };
}

/** Whether the store may have missed attempts. */
function createDoubt({ store, marker, now, random }: LimiterParts) {
  let known: string | undefined;
  let since = Number.NEGATIVE_INFINITY;
  const begin = (): void => {
    since = now();
  };
  const readMarker = async (): Promise<string | null> => {
    const mark = await store.get(marker);
    if (mark !== null) return mark;
    await store.set(marker, random(), { ttl: null, ifAbsent: true });
    return store.get(marker);
  };
  return {
    begin,
    concerns: ({ interval }: Limit): boolean => now() < since + 2 * interval,
    /** Detects that the store is unavailable, or was emptied: its marker changed. */
    async check(): Promise<void> {
      try {
        const mark = await readMarker();
        if (known !== undefined && known !== mark) begin();
        known = mark ?? undefined;
      } catch {
        begin();
      }
    },
  };
}

const localKeys = ({ key, own }: Budget, { times, interval }: Limit) => {
  const all = `${key}/${times}/${interval}`;
  return { all, own: `${all}/${own}` };
};

/** Changes the consecutive failures of an exact name. */
export function changeRow(store: Store, budget: Budget, change: (inARow: number) => number): Promise<void> {
  return changeTried(store, budget, (tried) => withRow(tried, budget.own, change));
}

/** Forgets what was tried under a name in all its spellings. */
export function forgetTried(store: Store, budget: Budget): Promise<void> {
  return changeTried(store, budget, () => ({ last: 0, shares: [] }));
}

/** One read, and one write if something changes. */
async function changeTried(store: Store, budget: Budget, change: (tried: Tried) => Tried): Promise<void> {
  await retryChange(async () => {
    const text = await store.get(budget.key);
    const after = change(parseTried(text));
    const next = formatTried(after);
    return next === text || (await store.swap(budget.key, text, next, { ttl: lifeOf(after, budget) })) || undefined;
  }, "The attempts of an account");
}
