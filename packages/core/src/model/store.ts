import type { Seconds } from "./units.ts";

/** How long a written value is kept. */
export interface StoreLife {
  /**
   * Seconds from now, above 0; fractions are allowed. Null: no expiry. Measured by the store's clock if it has one
   * (Redis), otherwise by the clock of the writing process.
   */
  readonly ttl: Seconds | null;
}

/** A counter after {@link Store.add}. */
export interface StoreCount {
  /** The current value of the counter. */
  readonly value: number;
  /** Whole seconds until the counter expires, rounded up; null if it does not expire. */
  readonly ttl: Seconds | null;
}

/** The result of {@link StoreLog.since}. */
export interface StoreEntries {
  /**
   * Random, created with the log's first entry, and different if the log was lost and restarted; the empty string while
   * there is no log. A reader that sees a new generation must append its own entries again.
   */
  readonly generation: string;
  /** The reader's new position: pass it as `after` the next time. Opaque, and valid for this log only. */
  readonly at: string;
  /** The entries after `after`, in the order in which they were committed. */
  readonly entries: readonly string[];
  /**
   * False if the log does not continue from `after`: it was lost, restarted, restored from an older copy, or the entry at
   * `after` has expired. `entries` then starts with the log's first entry. Always true if `after` was null.
   */
  readonly complete: boolean;
  /** There are entries after `at`, which `limit` left out. Absent if there are none. */
  readonly more?: true;
}

/** A log that every process reads in the same order, without gaps. */
export interface StoreLog {
  /**
   * Appends an entry. Appends become visible in the order of their commits: a reader that has seen the second one has seen
   * the first.
   *
   * @param name name of the log.
   * @param o `ttl`: how long the entry is kept at least; it is removed at some time afterwards. `keys`: texts to set, with
   *   the same `ttl`, in the same atomic step.
   * @returns the position of the entry.
   */
  append(
    name: string,
    entry: string,
    o: { readonly ttl: Seconds; readonly keys?: Readonly<Record<string, string>> },
  ): Promise<string>;
  /**
   * Reads the entries after a position. Writes nothing.
   *
   * @param after the `at` of an earlier `since`, or the result of `append`; null: from the beginning.
   * @param o `limit`: the most entries to return, at least 1, so that a call takes no longer however long the log is.
   *   Absent: all of them.
   */
  since(name: string, after: string | null, o?: { readonly limit?: number }): Promise<StoreEntries>;
}

/**
 * Small state shared by the processes of one application: four operations and a log (docs/stores.md). `storeContract()` of
 * `@cardea/testing` tests an implementation.
 *
 * Each call is one atomic step. A rejected promise means that the store failed, never "not found"; whether the step took
 * effect is then unknown. A key is at most 512 printable ASCII characters and contains no e-mail address or name in clear
 * text. A value is any text.
 */
export interface Store {
  /** Returns the text of a key, or a counter's value as text; null if there is none, or if it has expired. */
  get(key: string): Promise<string | null>;
  /**
   * Sets the text of a key, and restarts its lifetime.
   *
   * @param o `ifAbsent`: only if the key has no text.
   * @returns whether it was set; false only with `ifAbsent`.
   */
  set(key: string, value: string, o: StoreLife & { readonly ifAbsent?: true }): Promise<boolean>;
  /**
   * Adds to a counter. Concurrent callers each receive a different value.
   *
   * @param by An integer; negative to subtract. The call rejects if the counter would not be a safe integer.
   * @param o `ttl` counts from the call that creates the counter; later calls do not change it.
   * @throws if the value of the key is not an integer.
   */
  add(key: string, by: number, o: StoreLife): Promise<StoreCount>;
  /**
   * Replaces the text of a key if it equals the expected text (compare and set).
   *
   * @param expected the expected text; null: the key has none.
   * @param next the new text, with the lifetime in `o`; null: the key is deleted.
   * @returns whether it was replaced. If several callers expect the same text and set different ones, one receives true.
   */
  swap(key: string, expected: string | null, next: string | null, o: StoreLife): Promise<boolean>;
  /** Absent if the store cannot provide a log. */
  readonly log?: StoreLog;
  /**
   * `"process"`: values are visible only to this process, and a warning is logged at startup in production. Absent or
   * `"application"`: values are visible to every process of the application.
   */
  readonly scope?: "process" | "application";
}

/** A number in a store that only grows, even if the store loses it. Each function rejects when the store fails. */
export interface Counter {
  /** Its value; 0 if it was never raised. */
  read(): Promise<number>;
  /**
   * Raises it above its value and above `floor`, to the time at least: above every value that a lost counter can have had.
   *
   * @returns its new and its former value.
   */
  raise(floor?: number): Promise<{ readonly value: number; readonly former: number }>;
  /** Raises it to at least a value that it had before. */
  restore(value: number): Promise<void>;
}
