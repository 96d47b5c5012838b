import type { EpochSeconds } from "@cardea/extend";
import type { CounterOf, EndOf, Entry } from "./entry.ts";

/** Default reason shown to the browser of an ended session. */
export const ENDED = "ended";

interface Counter {
  readonly value: number;
  readonly until: EpochSeconds;
}

/**
 * The ended sessions known to one process, in memory. An entry takes some hundred bytes and is removed once every token
 * it concerns has expired.
 */
export class KnownEnds {
  readonly #ends: Readonly<Record<EndOf, Map<string, EpochSeconds>>> = {
    sid: new Map(),
    jti: new Map(),
    idp: new Map(),
  };
  readonly #counters: Readonly<Record<CounterOf, Map<string, Counter>>> = {
    epoch: new Map(),
    idp: new Map(),
    block: new Map(),
  };
  /** Reasons other than the default, by the id of the entry. */
  readonly #whys = new Map<string, string>();
  #pruning = this.#all();

  /** Whether any provider account or provider session was ended. */
  get hasProviderEnds(): boolean {
    return this.#ends.idp.size > 0 || this.#counters.idp.size > 0;
  }

  apply(entry: Entry): void {
    const { id, until } = entry;
    if (entry.kind === "end") {
      const ends = this.#ends[entry.of];
      ends.set(id, Math.max(until, ends.get(id) ?? 0));
      if (entry.why !== ENDED && !this.#whys.has(id)) this.#whys.set(id, entry.why);
    } else {
      const counters = this.#counters[entry.of];
      const known = counters.get(id);
      if (known === undefined || known.value <= entry.value) {
        counters.set(id, { value: entry.value, until: Math.max(until, known?.until ?? 0) });
      }
    }
  }

  /** Why it was ended; undefined if it was not. */
  why(of: EndOf, id: string): string | undefined {
    return this.#ends[of].has(id) ? (this.#whys.get(id) ?? ENDED) : undefined;
  }

  /** The greatest known value of a counter; 0 if unknown. */
  count(of: CounterOf, id: string): number {
    return this.#counters[of].get(id)?.value ?? 0;
  }

  /** Why a session was ended; undefined if it is active. Takes a few lookups. */
  whyOf(sid: string, jti: string | undefined, userId: string, epoch: number): string | undefined {
    const why = this.why("sid", sid) ?? (jti === undefined ? undefined : this.why("jti", jti));
    return why ?? (epoch < this.count("epoch", userId) ? ENDED : undefined);
  }

  /** Whether an entry is already known. */
  covers(entry: Entry): boolean {
    return entry.kind === "end" ? this.#ends[entry.of].has(entry.id) : this.count(entry.of, entry.id) >= entry.value;
  }

  /**
   * Every entry once.
   *
   * @param start Where to begin, as a fraction of all: those before it come last.
   */
  *entries(start = 0): IterableIterator<Entry> {
    const first = Math.floor(start * this.#size);
    let n = 0;
    for (const entry of this.#all()) if (n++ >= first) yield entry;
    n = 0;
    for (const entry of this.#all()) {
      if (n++ >= first) return;
      yield entry;
    }
  }

  get #size(): number {
    return [...Object.values(this.#ends), ...Object.values(this.#counters)].reduce((sum, { size }) => sum + size, 0);
  }

  *#all(): IterableIterator<Entry> {
    for (const of of ["sid", "jti", "idp"] as const) {
      for (const [id, until] of this.#ends[of]) yield { kind: "end", of, id, until, why: this.#whys.get(id) ?? ENDED };
    }
    for (const of of ["epoch", "idp", "block"] as const) {
      for (const [id, { value, until }] of this.#counters[of]) yield { kind: "count", of, id, until, value };
    }
  }

  /**
   * Removes entries whose tokens have all expired.
   *
   * @param most How many entries to look at; the next call goes on from there.
   */
  prune(now: EpochSeconds, most: number): void {
    for (let n = 0; n < most; n++) {
      const { value: entry, done } = this.#pruning.next();
      if (done === true) {
        this.#pruning = this.#all();
        return;
      }
      if (entry.until >= now) continue;
      const { kind, of, id } = entry;
      if (kind === "count") this.#counters[of].delete(id);
      else {
        this.#ends[of].delete(id);
        this.#whys.delete(id);
      }
    }
  }
}
