import type { EpochSeconds, StoreLog } from "@cardea/extend";
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
 * How many milliseconds reads wait for a page of the log. A store that takes longer counts as unavailable. Core uses the same
 * limit for every store call. A much shorter limit would treat a slow store as unavailable and serve ended sessions.
 */
const PATIENCE = 2_000;

/** Entries to read from the log in one call, and to look through in one step. Takes a few milliseconds. */
const ENTRIES_AT_ONCE = 2_000;

/** The most records of the log to read in one call: many contain a single entry. */
const MAX_PAGE = 1_000;

/** Entries to write in one call, and how many such calls follow each other before the log is read again. */
const [BATCH, BATCHES] = [200, 10];

const NEVER = Number.NEGATIVE_INFINITY;

/** What a session read goes by: the known state (undefined), or the store, while the known state is incomplete. */
export type Source = undefined | "store";

/** A read of the log in progress. */
interface Run {
  /** Resolves when its first page is known. */
  readonly page: Promise<void>;
  /** Resolves when its last page is known. */
  readonly end: Promise<void>;
}

/**
 * Follows the log of ended sessions in the background.
 *
 * 1. The known state dates from the start of the last successful read of the end of the log.
 * 2. A session read that finds the state older than half of `every` starts a read of the log without waiting. If the
 *    state is older than `every`, it waits: there was no traffic, or the store is slow or unavailable.
 * 3. A store is unavailable if it rejects or takes longer than two seconds. Session reads then do not wait, and the
 *    known state counts until it is older than `stale`. A process that never read the log knows nothing.
 * 4. The log is read in pages. What was read is kept, also if the next page fails. Where more than one page is to be read
 *    (the process has just started, or the store lost entries), session reads that cannot use the known state do not
 *    wait for the last one, but ask the store, which has a key for each end. So the length of the log delays no read.
 * 5. A log with another generation, or with a gap after the last known position, has lost entries. It is read from its
 *    start, and the known entries that it lacks are written again in pieces: those that another process wrote meanwhile
 *    are left out.
 */
export class LogFollower {
  readonly #parts: FollowerParts;
  #confirmed = NEVER;
  #tried = NEVER;
  #isFailing = false;
  #isReported = false;
  #isCatchingUp = false;
  #position: { readonly generation: string; readonly at: string } | undefined;
  #pageSize = MAX_PAGE;
  /** What a log that lost entries contains. */
  #found: KnownEnds | undefined;
  /** The entries of which some are not in {@link LogFollower.#found}. */
  #restoring: Iterator<Entry> | undefined;
  readonly #unwritten = new Unwritten();
  #running: Run | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Whether there are unwritten entries. */
  get isBehind(): boolean {
    return this.#unwritten.size > 0 || this.#restoring !== undefined;
  }

  /** Queues entries to be written by the next {@link LogFollower.sync}. */
  keep(entries: readonly Entry[]): void {
    this.#unwritten.add(entries);
  }

  /**
   * Undefined if the known state is recent enough; otherwise a promise that resolves to what the read must go by.
   *
   * @throws (rejects) if the state is too old.
   */
  check(freshness: Freshness): undefined | Promise<Source> {
    const { every } = freshness;
    const time = this.#parts.clock();
    const age = time - this.#confirmed;
    if (age < every / 2) return undefined;
    const sinceTry = time - this.#tried;
    const wasAway = this.#isFailing && sinceTry < every;
    const isDue = !this.#isFailing || sinceTry >= every / 2;
    const reading = isDue || this.#running !== undefined ? this.#run().page.catch(() => undefined) : Promise.resolve();
    if (age <= every) return undefined;
    if (this.#asksStore) return Promise.resolve("store");
    const counts = this.counts(freshness);
    const patience = PATIENCE - (time - this.#tried);
    if (counts && (wasAway || patience <= 0)) return undefined;
    return (counts ? this.#within(patience, reading) : reading).then(() => {
      if (this.#asksStore) return "store";
      if (this.counts(freshness)) return undefined;
      throw new Error("Ended sessions are unknown because the store is unavailable.");
    });
  }

  /** Whether the known state may be used while the store is unavailable. */
  counts({ every, stale, serve }: Freshness): boolean {
    const age = this.#parts.clock() - this.#confirmed;
    return age <= Math.max(every, stale) || (serve && this.#confirmed !== NEVER);
  }

  /** Reads the log to its end now, or joins a read in progress. Rejects if the store fails. */
  sync(): Promise<void> {
    return this.#run().end;
  }

  /** Reads one page of the log, which usually is all that is new. Rejects if the store fails. */
  reach(): Promise<void> {
    const { page } = this.#run();
    return this.#asksStore ? Promise.resolve() : page;
  }

  get #asksStore(): boolean {
    return this.#isCatchingUp && !this.#isFailing;
  }

  #run(): Run {
    if (this.#running !== undefined) return this.#running;
    let hasPage = () => {};
    const first = new Promise<void>((resolve) => {
      hasPage = resolve;
    });
    const end = this.#follow(hasPage).finally(() => {
      this.#running = undefined;
      if (this.#restoring !== undefined && !this.#isFailing) this.sync().catch(() => undefined);
    });
    const run = { page: Promise.race([first, end]), end };
    // A caller that needs one of them waits for it.
    for (const promise of [run.page, run.end]) promise.catch(() => undefined);
    this.#running = run;
    return run;
  }

  async #follow(hasPage: () => void): Promise<void> {
    const { clock, known, now } = this.#parts;
    this.#tried = clock();
    try {
      const asOf = await this.#readToEnd(hasPage);
      await this.#writeUnwritten();
      this.#confirmed = asOf;
      this.#isFailing = false;
      if (this.#isReported) this.#parts.report({ away: false });
      this.#isReported = false;
      await this.#restore();
    } catch (error) {
      this.#isFailing = true;
      this.#reportAway(error);
      throw error;
    }
    known.prune(now(), ENTRIES_AT_ONCE);
  }

  /** @returns when the read of the last page began. */
  async #readToEnd(hasPage: () => void): Promise<number> {
    for (;;) {
      const started = this.#parts.clock();
      this.#isCatchingUp = await this.#readPage();
      if (!this.#isCatchingUp) return started;
      this.#isFailing = false;
      hasPage();
    }
  }

  /** @returns whether there are more. */
  async #readPage(): Promise<boolean> {
    const { log, known } = this.#parts;
    const before = this.#position;
    const limit = this.#pageSize;
    // If this page fails, the next one is smaller.
    this.#pageSize = Math.max(1, Math.floor(limit / 4));
    const { generation, at, entries, complete, more = false } = await log.since(LOG, before?.at ?? null, { limit });
    const isOther = before !== undefined && (generation !== before.generation || generation === "");
    if (!complete || isOther) {
      this.#found = new KnownEnds();
      this.#restoring = undefined;
    }
    const read = entries.flatMap(readEntries);
    for (const entry of read) {
      known.apply(entry);
      this.#found?.apply(entry);
    }
    this.#position = { generation, at };
    const perRecord = read.length / Math.max(1, entries.length);
    this.#pageSize = Math.max(1, Math.min(MAX_PAGE, 2 * limit, Math.floor(ENTRIES_AT_ONCE / Math.max(1, perRecord))));
    return more;
  }

  async #writeUnwritten(): Promise<void> {
    const entries = this.#unwritten.list();
    for (let from = 0; from < entries.length; from += BATCH) {
      await this.#write(entries.slice(from, from + BATCH));
    }
  }

  async #write(batch: readonly Entry[]): Promise<void> {
    await this.#parts.write(batch);
    this.#unwritten.remove(batch);
    for (const entry of batch) this.#found?.apply(entry);
  }

  /**
   * Writes some of the entries that the log lost. Processes begin at different ones, so that each writes a part; between
   * the parts, the log shows what others wrote.
   */
  async #restore(): Promise<void> {
    if (this.#found === undefined) return;
    this.#restoring ??= this.#parts.known.entries(Math.random());
    for (let n = 0; n < BATCHES && this.#restoring !== undefined; n++) {
      const batch = this.#takeMissing(this.#restoring, this.#found);
      // If this fails, the next read of the log writes it first.
      this.keep(batch);
      await this.#write(batch);
    }
    if (this.#restoring === undefined) this.#found = undefined;
  }

  #takeMissing(entries: Iterator<Entry>, found: KnownEnds): readonly Entry[] {
    const missing: Entry[] = [];
    for (let n = 0; n < ENTRIES_AT_ONCE && missing.length < BATCH; n++) {
      const { value, done } = entries.next();
      if (done === true) {
        this.#restoring = undefined;
        return missing;
      }
      if (value.until >= this.#parts.now() && !found.covers(value)) missing.push(value);
    }
    return missing;
  }

  /** Waits for a read of the log for at most `patience` milliseconds. */
  async #within(patience: number, reading: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#reportAway(new Error(`The log was not read within ${PATIENCE} ms.`));
        resolve();
      }, patience);
    });
    await Promise.race([reading, late]).finally(() => clearTimeout(timer));
  }

  #reportAway(error: unknown): void {
    if (!this.#isReported) this.#parts.report({ away: true, error });
    this.#isReported = true;
  }
}
