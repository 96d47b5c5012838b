import type { EpochSeconds } from "../model/units.ts";

/** What a cache of opened session tokens holds of one token. */
interface Entry {
  /** What the token sealed: the JSON of its claims, parsed again for each read, so that no reader changes it for another. */
  readonly text: string;
  /** When the entry ends. */
  readonly until: EpochSeconds;
  readonly bytes: number;
}

/** A bounded cache of what session tokens sealed (decisions/032). */
export interface TokenCache {
  /** What the token with this hash sealed; undefined when it is not known, or no longer. */
  get(secrets: readonly string[], hash: string, now: EpochSeconds): string | undefined;
  set(secrets: readonly string[], hash: string, text: string, until: EpochSeconds): void;
  /** Bytes that count towards the limit, and the number of entries. */
  readonly size: { readonly bytes: number; readonly entries: number };
}

/** What V8 keeps for an entry beside its text: the hash, an object, two numbers, a place in the map; measured with 64-bit pointers. */
export const ENTRY_BYTES = 280;

/** A string takes one byte for each character while all are below U+0100, else two. */
const bytesOf = (text: string) => ENTRY_BYTES + text.length * (/^[\0-\xff]*$/.test(text) ? 1 : 2);

/**
 * Makes an empty cache.
 *
 * 1. Other secrets than those of the last call: everything is forgotten, whichever of them opened it.
 * 2. An entry past its end is forgotten when it is asked for.
 * 3. Over the limit the oldest entries go first; a text larger than the limit is not kept.
 *
 * @param limit bytes of all entries together.
 */
export function createTokenCache(limit: number): TokenCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let known: readonly string[] = [];
  const forget = (hash: string, entry: Entry) => {
    bytes -= entry.bytes;
    entries.delete(hash);
  };
  const use = (secrets: readonly string[]) => {
    if (secrets === known) return;
    const isSame = secrets.length === known.length && secrets.every((secret, n) => secret === known[n]);
    known = secrets;
    if (isSame) return;
    entries.clear();
    bytes = 0;
  };
  return {
    get: (secrets, hash, now) => {
      use(secrets);
      const entry = entries.get(hash);
      if (entry === undefined || entry.until > now) return entry?.text;
      forget(hash, entry);
      return undefined;
    },
    set: (secrets, hash, text, until) => {
      use(secrets);
      const entry = { text, until, bytes: bytesOf(text) };
      const former = entries.get(hash);
      if (former !== undefined) forget(hash, former);
      if (entry.bytes > limit) return;
      entries.set(hash, entry);
      bytes += entry.bytes;
      for (const [oldest, gone] of entries) {
        if (bytes <= limit) return;
        forget(oldest, gone);
      }
    },
    get size() {
      return { bytes, entries: entries.size };
    },
  };
}
