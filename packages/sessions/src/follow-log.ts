import type { EpochSeconds, StoreLog } from "@cardea/core/extend";
import { LOG } from "./ended-store.ts";
import { type Entry, readEntries } from "./entry.ts";
import { KnownEnds } from "./known-ends.ts";
import { Unwritten } from "./unwritten.ts";

/** How old the known state may be, in milliseconds. */
export interface Freshness {
  /** A read waits for an update if the state is older than this. */
  readonly every: number;
  /** How long the last known state is used while the store is unavailable. */
  readonly stale: number;
  /** Whether the last known state is used even after that. */
  readonly serve: boolean;
}

/** Dependencies of a follower. */
export interface FollowerParts {
  readonly log: StoreLog;
  readonly known: KnownEnds;
  /** Monotonic clock, in milliseconds. */
  readonly clock: () => number;
  readonly now: () => EpochSeconds;
  /** Writes entries that the log lacks. */
  readonly write: (entries: readonly Entry[]) => Promise<void>;
  /**
   * Called once when the store becomes unavailable, and once when the log can be read again, so that serving sessions
   * from memory is always reported.
   */
  readonly report: (state: { readonly away: true; readonly error: unknown } | { readonly away: false }) => void;
}

/**
 * How many milliseconds reads wait for the log. A store that takes longer counts as unavailable. Core uses the same
 * limit for every store call. A much shorter limit would treat a slow store as unavailable and serve ended sessions.
 */
const PATIENCE = 2_000;

/** How often expired entries are removed, in milliseconds. */
const PRUNE_EVERY = 10 * 60 * 1000;

const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Follows the log of ended sessions in the background.
 *
 * 1. The known state dates from the start of the last successful read of the log.
 * 2. A session read that finds the state older than half of `every` starts a read of the log without waiting. If the
 *    state is older than `every`, it waits: there was no traffic, or the store is slow or unavailable.
 * 3. A store is unavailable if it rejects or takes longer than two seconds. Session reads then do not wait, and the
 *    known state counts until it is older than `stale`. A process that never read the log knows nothing.
 * 4. A log with another generation, or with a gap after the last known position, has lost entries. Missing entries are
 *    written again; until then, the state is not confirmed.
 */
export class LogFollower {
  readonly #parts: FollowerParts;
  #confirmed = NEVER;
  #pruned = NEVER;
  #tried = NEVER;
  #isFailing = false;
  #isReported = false;
  #position: { readonly generation: string; readonly at: string } | undefined;
  readonly #unwritten = new Unwritten();
  #running: Promise<void> | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Whether there are unwritten entries. */
  get isBehind(): boolean {
    return this.#unwritten.size > 0;
  }

  /** Queues entries to be written by the next {@link LogFollower.sync}. */
  keep(entries: readonly Entry[]): void {
    this.#unwritten.add(entries);
  }

  /**
   * Undefined if the known state is recent enough; otherwise a promise that resolves once it is.
   *
   * @throws (rejects) if the state is too old.
   */
  check(freshness: Freshness): undefined | Promise<void> {
    const { every } = freshness;
    const time = this.#parts.clock();
    const age = time - this.#confirmed;
    if (age < every / 2) return undefined;
    const sinceTry = time - this.#tried;
    const wasAway = this.#isFailing && sinceTry < every;
    const isDue = !this.#isFailing || sinceTry >= every / 2;
    const syncing = isDue || this.#running !== undefined ? this.sync().catch(() => undefined) : Promise.resolve();
    if (age <= every) return undefined;
    const counts = this.#counts(age, freshness);
    const patience = PATIENCE - (time - this.#tried);
    if (counts && (wasAway || patience <= 0)) return undefined;
    return (counts ? this.#within(patience, syncing) : syncing).then(() => {
      if (this.#counts(this.#parts.clock() - this.#confirmed, freshness)) return;
      throw new Error("Ended sessions are unknown because the store is unavailable.");
    });
  }

  /** Reads the log now, or joins a read in progress. Rejects if the store fails. */
  sync(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  #counts(age: number, { every, stale, serve }: Freshness): boolean {
    return age <= Math.max(every, stale) || (serve && this.#confirmed !== NEVER);
  }

  async #run(): Promise<void> {
    const { clock, known, now, write } = this.#parts;
    const started = clock();
    this.#tried = started;
    try {
      await this.#read();
      const written = this.#unwritten.list();
      if (written.length > 0) await write(written);
      this.#unwritten.remove(written);
      this.#confirmed = started;
      this.#isFailing = false;
      if (this.#isReported) this.#parts.report({ away: false });
      this.#isReported = false;
    } catch (error) {
      this.#isFailing = true;
      this.#reportAway(error);
      throw error;
    }
    if (started - this.#pruned < PRUNE_EVERY) return;
    this.#pruned = started;
    known.prune(now());
  }

  async #read(): Promise<void> {
    const { log, known } = this.#parts;
    const before = this.#position;
    const { generation, at, entries, complete } = await log.since(LOG, before?.at ?? null);
    const isOther = before !== undefined && (generation !== before.generation || generation === "");
    const read = entries.flatMap(readEntries);
    if (!complete || isOther) {
      const there = new KnownEnds();
      for (const entry of read) there.apply(entry);
      this.keep([...known.entries()].filter((entry) => !there.covers(entry)));
    }
    for (const entry of read) known.apply(entry);
    this.#position = { generation, at };
  }

  /** Waits for a read of the log for at most `patience` milliseconds. */
  async #within(patience: number, syncing: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#reportAway(new Error(`The log was not read within ${PATIENCE} ms.`));
        resolve();
      }, patience);
    });
    await Promise.race([syncing, late]).finally(() => clearTimeout(timer));
  }

  #reportAway(error: unknown): void {
    if (!this.#isReported) this.#parts.report({ away: true, error });
    this.#isReported = true;
  }
}
