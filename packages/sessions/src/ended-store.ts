import { type Counter, type EpochSeconds, openCounter, type Seconds, type Store, type Tools } from "@cardea/extend";
import { type CounterOf, type Entry, writeEntries } from "./entry.ts";

/** The log that every process follows. */
export const LOG = "cardea:sessions:log";

/** Entries per log record. Writing this many with their keys takes a store a few milliseconds. */
const BATCH = 200;

/** The dependencies for writing ended sessions. Nothing of a request is retained. */
export interface EndedStoreParts {
  readonly store: Store;
  readonly epoch: Tools["epoch"];
  readonly now: () => EpochSeconds;
  readonly digest: Tools["digest"];
}

/**
 * The ended sessions of an application in its store: a key per end, for reads that query the store, and a log for all
 * other reads.
 */
export interface EndedStore {
  /** Writes entries. Writing an existing entry is not an error. */
  write(entries: readonly Entry[]): Promise<void>;
  /**
   * A counter, which core keeps for the epoch of a user.
   *
   * @param until When no token from before is valid any more. Any other counter is gone then: whatever is raised later is greater. That a
   * user is blocked has no end.
   */
  counter(of: CounterOf, id: string, until: EpochSeconds): Pick<Counter, "raise" | "restore">;
  /** The value of a counter; 0 if it does not exist. */
  count(of: CounterOf, id: string): Promise<number>;
  /** Why it was ended; null if it was not. */
  why(of: "sid" | "jti" | "idp", id: string): Promise<string | null>;
}

/** Opens the ended sessions of an application. Each function rejects when the store fails. */
export function openEndedStore({ store, epoch, now, digest }: EndedStoreParts): EndedStore {
  const keyOf = async (...about: readonly string[]) => `cardea:sessions:${await digest(JSON.stringify(about))}`;

  const counter = (of: CounterOf, id: string, until: EpochSeconds): Counter => {
    if (of === "epoch") return epoch(id);
    return openCounter(store, keyOf("count", of, id), { ttl: of === "block" ? null : Math.max(1, until - now()) });
  };

  const writeBatch = async (batch: readonly Entry[]): Promise<void> => {
    const keys: Record<string, string> = {};
    for (const entry of batch) {
      if (entry.kind === "end") keys[await keyOf("end", entry.of, entry.id)] = entry.why;
      else await counter(entry.of, entry.id, entry.until).restore(entry.value);
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
    counter,
    count: (of, id) => counter(of, id, now()).read(),
    why: async (of, id) => store.get(await keyOf("end", of, id)),
  };
}
