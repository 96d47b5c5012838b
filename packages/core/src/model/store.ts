import type { Seconds } from "./units.ts";

/** How long what is written stays. */
export interface StoreLife {
  /**
   * Seconds from now, above 0; a fraction counts. Null: until it is replaced or deleted. By the clock of the store where it has one
   * (Redis), else by that of the process that writes.
   */
  readonly ttl: Seconds | null;
}

/** A counter after {@link Store.add}. */
export interface StoreCount {
  /** What the counter says now. */
  readonly value: number;
  /** Whole seconds until the counter is gone, rounded up; null where it stays. */
  readonly ttl: Seconds | null;
}

/** What {@link StoreLog.since} found. */
export interface StoreEntries {
  /**
   * Made at random with the log's first entry, and another one when the log was lost and begun anew; the empty string while there
   * is no log. A reader that sees another generation than before appends what it holds.
   */
  readonly generation: string;
  /** Where the reader is now: what to pass as `after` the next time. Opaque, and good for this log only. */
  readonly at: string;
  /** The entries behind `after`, in the order in which they were committed. */
  readonly entries: readonly string[];
  /**
   * False where the log does not go on from `after`: it was lost, begun anew, restored from a copy that is behind, or the entry at
   * `after` went with its time. `entries` are then all that the log has. Always true when `after` was null.
   */
  readonly complete: boolean;
}

/** Entries that every process reads in one order, and misses none of. */
export interface StoreLog {
  /**
   * Adds an entry at the end. Two appends are seen in the order of their commits: a reader that has seen the second one has seen
   * the first.
   *
   * @param name of the log.
   * @param o `ttl`: how long the entry is kept at least; it is removed at some time after. `keys`: texts to set, with the same `ttl`,
   *   in the same atomic step.
   * @returns the position of the entry.
   */
  append(
    name: string,
    entry: string,
    o: { readonly ttl: Seconds; readonly keys?: Readonly<Record<string, string>> },
  ): Promise<string>;
  /**
   * Reads what came after a position; writes nothing.
   *
   * @param after what `since` gave as `at`, or `append` returned; null: from the beginning.
   */
  since(name: string, after: string | null): Promise<StoreEntries>;
}

/**
 * Small state that the processes of one application share: four calls, and a log (docs/stores.md). `storeContract()` of
 * `@cardea/testing` tests it.
 *
 * Each call is one atomic step. A promise that rejects is an outage, never "not there": whether the step was taken is then unknown. A
 * key is text of at most 512 characters of printable ASCII and names no address and no person in clear; a value is any text.
 */
export interface Store {
  /** The text of a key; a counter's number as text; null where there is none, or its time is over. */
  get(key: string): Promise<string | null>;
  /**
   * Sets the text of a key, and its life anew.
   *
   * @param o `ifAbsent`: only where the key has no text.
   * @returns whether it was set: false only with `ifAbsent`.
   */
  set(key: string, value: string, o: StoreLife & { readonly ifAbsent?: true }): Promise<boolean>;
  /**
   * Adds to a counter. Of several callers at once each gets another value.
   *
   * @param by a whole number; below 0 to take away. The counter stays a safe integer, or the call rejects.
   * @param o `ttl` counts from the call that makes the counter; later calls do not change it.
   * @throws where the text of the key is no whole number.
   */
  add(key: string, by: number, o: StoreLife): Promise<StoreCount>;
  /**
   * Replaces the text of a key where it is what the caller believes (compare and set).
   *
   * @param expected the text; null: the key has none.
   * @param next the new text, with the life of `o`; null: the key is deleted.
   * @returns whether it was replaced. Of several callers that expect the same text and set another, one gets true.
   */
  swap(key: string, expected: string | null, next: string | null, o: StoreLife): Promise<boolean>;
  /** Absent where the store cannot keep one. */
  readonly log?: StoreLog;
  /**
   * `"process"`: what is written is seen by this process only. Production warns about such a store at start. Absent, or
   * `"application"`: every process of the application sees it.
   */
  readonly scope?: "process" | "application";
}
