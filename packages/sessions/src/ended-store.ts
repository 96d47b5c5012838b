import { type EpochSeconds, retryChange, type Seconds, type Store, type Tools } from "@cardea/core/extend";
import { type CounterOf, type Entry, writeEntries } from "./entry.ts";

/** The log that every process follows. */
export const LOG = "cardea:sessions:log";

/** Entries per log record. Writing this many with their keys takes a store a few milliseconds. */
const BATCH = 200;

/** The dependencies for writing ended sessions. Nothing of a request is retained. */
export interface EndedStoreParts {
  readonly store: Store;
  readonly now: () => EpochSeconds;
  readonly digest: Tools["digest"];
}

/** The new and the previous value of a counter, raised atomically. */
export interface Raised {
  readonly value: number;
  readonly former: number;
}

/**
 * The ended sessions of an application in its store: a key per end, for reads that query the store, and a log for all
 * other reads.
 */
export interface EndedStore {
  /** Writes entries. Writing an existing entry is not an error. */
  write(entries: readonly Entry[]): Promise<void>;
  /**
   * Raises a counter above its value and above `floor`, to the time at least: above every value that a lost counter can have had,
   * and that an end which failed earlier is retried with, so that the retry ends no session from after this one.
   *
   * @param until When no token from before is valid any more. The counter is gone then: whatever is raised later is greater. That a user
   * is blocked has no end.
   */
  raise(of: CounterOf, id: string, floor: number, until: EpochSeconds): Promise<Raised>;
  /** The value of a counter; 0 if it does not exist. */
  count(of: CounterOf, id: string): Promise<number>;
  /** Why it was ended; null if it was not. */
  why(of: "sid" | "jti" | "idp", id: string): Promise<string | null>;
}

/** Opens the ended sessions of an application. Each function rejects when the store fails. */
export function openEndedStore({ store, now, digest }: EndedStoreParts): EndedStore {
  const keyOf = async (...about: readonly string[]) => `cardea:sessions:${await digest(JSON.stringify(about))}`;

  const lifeOf = (of: CounterOf, until: EpochSeconds) => ({ ttl: of === "block" ? null : Math.max(1, until - now()) });

  const count = async (of: CounterOf, id: string) => parseCount(await store.get(await keyOf("count", of, id)));

  /** Raises the stored counter to at least the value of an entry. */
  const restore = async ({ of, id, value, until }: Entry & { readonly kind: "count" }): Promise<void> => {
    const key = await keyOf("count", of, id);
    await retryChange(async () => {
      const text = await store.get(key);
      return parseCount(text) >= value || (await store.swap(key, text, String(value), lifeOf(of, until))) || undefined;
    }, "A counter of ended sessions");
  };

  const writeBatch = async (batch: readonly Entry[]): Promise<void> => {
    const keys: Record<string, string> = {};
    for (const entry of batch) {
      if (entry.kind === "end") keys[await keyOf("end", entry.of, entry.id)] = entry.why;
      else await restore(entry);
    }
    const ttl: Seconds = Math.max(1, ...batch.map(({ until }) => until - now()));
    if (store.log !== undefined) {
      await store.log.append(LOG, writeEntries(batch), { ttl, keys });
      return;
    }
    await Promise.all(Object.entries(keys).map(([key, why]) => store.set(key, why, { ttl })));
  };

  return {
    async write(entries) {
      for (let from = 0; from < entries.length; from += BATCH) await writeBatch(entries.slice(from, from + BATCH));
    },
    async raise(of, id, floor, until) {
      const key = await keyOf("count", of, id);
      return retryChange(async () => {
        const text = await store.get(key);
        const former = Math.max(floor, parseCount(text));
        const value = Math.max(former + 1, now());
        return (await store.swap(key, text, String(value), lifeOf(of, until))) ? { value, former } : undefined;
      }, "A counter of ended sessions");
    },
    count,
    why: async (of, id) => store.get(await keyOf("end", of, id)),
  };
}

function parseCount(text: string | null): number {
  const value = Number(text ?? 0);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error("A counter of ended sessions is not an integer.");
}
