import type { EpochSeconds, StoreLog } from "@cardea/core/extend";
import { LOG } from "./ended-store.ts";
import { type Entry, readEntries } from "./entry.ts";
import { KnownEnds } from "./known-ends.ts";

/** How old what is known may be, in milliseconds. */
export interface Freshness {
  /** A read waits for what is older. */
  readonly every: number;
  /** While the store is away, what is known counts for as long. */
  readonly stale: number;
  /** Whether it counts for longer as well. */
  readonly serve: boolean;
}

/** What a follower is made with. */
export interface FollowerParts {
  readonly log: StoreLog;
  readonly known: KnownEnds;
  /** Milliseconds of a clock that is never set back. */
  readonly clock: () => number;
  readonly now: () => EpochSeconds;
  /** Writes entries that the log lacks. */
  readonly write: (entries: readonly Entry[]) => Promise<void>;
}

/** How long a read waits at most for a store that answered a moment ago. */
const PATIENCE = 250;

/** How often what no token can outlive is looked for. */
const PRUNE_EVERY = 10 * 60 * 1000;

const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Follows the log of ended sessions, off the way of requests.
 *
 * 1. What is known counts as of the moment at which the log was last asked, and answered.
 * 2. A read that finds it half of `every` old has the log read, and does not wait. A read that finds it older than `every` waits: nothing
 *    was read for a while, or the store is away.
 * 3. While the store is away, reads do not wait for it, and what is known counts until it is older than `stale`. A process that never
 *    read the log knows nothing.
 * 4. A log of another generation, or one that does not go on where it was left, has lost entries. What it lacks is written into it again;
 *    until that is done nothing counts as confirmed.
 */
export class LogFollower {
  readonly #parts: FollowerParts;
  #confirmed = NEVER;
  #pruned = NEVER;
  #tried = NEVER;
  #isFailing = false;
  #position: { readonly generation: string; readonly at: string } | undefined;
  #unwritten: readonly Entry[] = [];
  #running: Promise<void> | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Whether entries wait to be written. */
  get isBehind(): boolean {
    return this.#unwritten.length > 0;
  }

  /** Has entries written with the next {@link LogFollower.sync}. */
  keep(entries: readonly Entry[]): void {
    this.#unwritten = [...this.#unwritten, ...entries];
  }

  /**
   * Undefined where what is known counts; else a promise of that.
   *
   * @throws in the promise, where it does not.
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
    if (wasAway && counts) return undefined;
    return (counts ? soon(syncing) : syncing).then(() => {
      if (this.#counts(this.#parts.clock() - this.#confirmed, freshness)) return;
      throw new Error("It is not known which sessions were ended: the store is away.");
    });
  }

  /** Reads the log now, together with those who are reading it. Rejects when the store fails. */
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
      const written = this.#unwritten;
      if (written.length > 0) await write(written);
      this.#unwritten = this.#unwritten.slice(written.length);
      this.#confirmed = started;
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
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
}

/** Waits a moment, not longer. */
async function soon(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE);
  });
  await Promise.race([work, patience]).finally(() => clearTimeout(timer));
}
