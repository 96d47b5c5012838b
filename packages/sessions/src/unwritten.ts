import type { Entry } from "./entry.ts";

/**
 * Entries that wait for the store, one per subject: an end is permanent, and the greater value of a counter wins. Ending the same
 * session again and again takes no more memory.
 */
export class Unwritten {
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  add(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const key = keyOf(entry);
      this.#entries.set(key, join(this.#entries.get(key), entry));
    }
  }

  list(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Removes written entries, except those that have changed since they were listed. */
  remove(written: readonly Entry[]): void {
    for (const entry of written) {
      const key = keyOf(entry);
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }
}

function keyOf({ kind, of, id }: Entry): string {
  return JSON.stringify([kind, of, id]);
}

/** The former entry itself if the new one adds nothing. */
function join(former: Entry | undefined, entry: Entry): Entry {
  if (former === undefined) return entry;
  const until = Math.max(former.until, entry.until);
  if (former.kind === "end" || entry.kind === "end") return former.until === until ? former : { ...former, until };
  const value = Math.max(former.value, entry.value);
  return former.until === until && former.value === value ? former : { ...former, until, value };
}
