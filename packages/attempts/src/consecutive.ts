import type { EpochSeconds, Seconds, Store } from "@cardea/core/extend";
import { takeBack } from "./take-back.ts";

/** NIST SP 800-63B-4 §3.2.2: the maximum number of consecutive failures for one account. */
const MAX_IN_A_ROW = 100;

/** A name that was not tried for this long is deleted; otherwise every name ever guessed would remain stored. */
const REMEMBERED: Seconds = 90 * 24 * 60 * 60;

/** Failures without a delay, for mistyped passwords. */
const FREE = 3;

/** The longest delay between two attempts. */
const LONGEST: Seconds = 60;

/** The delay reported for a locked account, which does not unlock by waiting. */
const A_DAY: Seconds = 24 * 60 * 60;

/** Attempts of one subject (an account, or one of its devices) since its last success. */
export interface TriesInARow {
  /**
   * Counts an attempt before it is checked, so that concurrent attempts cannot all pass.
   *
   * @returns How long to wait; 0 if the attempt is allowed. A rejected attempt does not count.
   */
  take(): Promise<Seconds>;
  /** Removes the attempts of this exact name from the count, after a success. */
  reset(): Promise<void>;
  /** Resets the count of all spellings. */
  unlock(): Promise<void>;
  /** Undoes the last `take()`. */
  giveBack(): Promise<void>;
}

/** What consecutive failures are counted under. Store keys; they contain no guessable value in clear text. */
export interface RowKeys {
  /** The subject with all spellings of its name. */
  readonly all: string;
  /** The exact name of the attempt. A success resets only what was counted under it. */
  readonly own: string;
}

/**
 * Counts consecutive failures in the store.
 *
 * @param grows Whether the delay between two attempts grows: 1, 2, 4 seconds, up to a minute.
 */
export function triesInARow(store: Store, { all, own }: RowKeys, now: () => EpochSeconds, grows: boolean): TriesInARow {
  const [count, last] = [`${all}:row`, `${all}:last`];
  const exact = `${own}:own`;
  const life = { ttl: REMEMBERED };
  return {
    async take() {
      const [made, at] = await Promise.all([store.get(count), grows ? store.get(last) : null]);
      const tries = Number(made ?? 0);
      if (tries >= MAX_IN_A_ROW) return A_DAY;
      // Another server's clock may be ahead.
      const due = Math.min(Number(at ?? 0), now()) + waitAfter(tries);
      if (grows && due > now()) return due - now();
      const { value } = await store.add(count, 1, life);
      if (value > MAX_IN_A_ROW) {
        await store.add(count, -1, life);
        return A_DAY;
      }
      await store.add(exact, 1, life);
      if (grows) await store.set(last, String(now()), { ttl: 2 * LONGEST });
      return 0;
    },
    async giveBack() {
      await store.add(count, -1, life);
      await store.add(exact, -1, life);
    },
    reset: () => takeBack(store, { all: count, own: exact }, life.ttl),
    async unlock() {
      const text = await store.get(count);
      if (text !== null) await store.swap(count, text, null, { ttl: null });
    },
  };
}

function waitAfter(tries: number): Seconds {
  return tries < FREE ? 0 : Math.min(2 ** Math.min(tries - FREE, 10), LONGEST);
}
