import type { EpochSeconds, Seconds, Store } from "@cardea/core/extend";

/** NIST SP 800-63B-4 §3.2.2: at most so many failures in a row for one account. */
const MAX_IN_A_ROW = 100;

/** A name that no one has tried for so long is forgotten: otherwise every name that was ever guessed would be kept. */
const REMEMBERED: Seconds = 90 * 24 * 60 * 60;

/** The first tries come without a wait: anyone mistypes a password. */
const FREE = 3;

/** The longest wait between two tries. */
const LONGEST: Seconds = 60;

/** What a refusal tells to wait that no wait lifts. */
const A_DAY: Seconds = 24 * 60 * 60;

/** Tries of one subject, an account or a device of it, since its last success. */
export interface TriesInARow {
  /**
   * Counts a try, before it is checked: tries at the same moment cannot pass together.
   *
   * @returns how long to wait instead; 0 where it may be made. A try that is refused does not count.
   */
  take(): Promise<Seconds>;
  /** Begins again, after a success. */
  reset(): Promise<void>;
}

/**
 * Tries in a row, in the store.
 *
 * @param key what they are counted under, without anything that can be guessed in clear.
 * @param grows whether the wait between two tries grows with each: 1, 2, 4 seconds, up to a minute.
 */
export function triesInARow(store: Store, key: string, now: () => EpochSeconds, grows: boolean): TriesInARow {
  const [count, last] = [`${key}:row`, `${key}:last`];
  const life = { ttl: REMEMBERED };
  return {
    async take() {
      const [made, at] = await Promise.all([store.get(count), grows ? store.get(last) : null]);
      const tries = Number(made ?? 0);
      if (tries >= MAX_IN_A_ROW) return A_DAY;
      const due = Number(at ?? 0) + waitAfter(tries);
      if (grows && due > now()) return due - now();
      const { value } = await store.add(count, 1, life);
      if (value > MAX_IN_A_ROW) {
        await store.add(count, -1, life);
        return A_DAY;
      }
      if (grows) await store.set(last, String(now()), { ttl: 2 * LONGEST });
      return 0;
    },
    async reset() {
      const text = await store.get(count);
      if (text !== null) await store.swap(count, text, null, { ttl: null });
    },
  };
}

function waitAfter(tries: number): Seconds {
  return tries < FREE ? 0 : Math.min(2 ** Math.min(tries - FREE, 10), LONGEST);
}
