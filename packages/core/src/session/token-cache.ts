import type { EpochSeconds } from "../model/units.ts";

/** A cache entry for one session token. */
interface Entry<T> {
  readonly value: T;
  /** Expiry of the entry. */
  readonly until: EpochSeconds;
  readonly bytes: number;
}

/** A bounded cache of the content of session tokens (decisions/032). */
export interface TokenCache<T> {
  /** The content of the token with this hash; undefined if it is not cached or has expired. */
  get(secrets: readonly string[], hash: string, now: EpochSeconds): T | undefined;
  /** @param size Size of the value in bytes. */
  set(secrets: readonly string[], hash: string, value: T, size: number, until: EpochSeconds): void;
  /** Bytes that count towards the limit, and the number of entries. */
  readonly size: { readonly bytes: number; readonly entries: number };
}

/**
 * Memory of an entry in V8 besides its value: the hash, an object, two numbers, a map slot; measured with 64-bit
 * pointers.
 */
export const ENTRY_BYTES = 280;

/** A string takes one byte per character if all are below U+0100, otherwise two. */
export const bytesOf = (text: string): number => text.length * (/^[\0-\xff]*$/.test(text) ? 1 : 2);

/**
 * Creates an empty cache.
 *
 * 1. If the secrets differ from those of the last call, the cache is cleared.
 * 2. An expired entry is removed when it is requested.
 * 3. Over the limit, the oldest entries are removed first; a value larger than the limit is not cached.
 *
 * @param limit Total size of all entries in bytes.
 */
export function createTokenCache<T>(limit: number): TokenCache<T> {
  const entries = new Map<string, Entry<T>>();
  let bytes = 0;
  let known: readonly string[] = [];
  const forget = (hash: string, entry: Entry<T>) => {
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
      if (entry === undefined || entry.until > now) return entry?.value;
      forget(hash, entry);
      return undefined;
    },
    set: (secrets, hash, value, size, until) => {
      use(secrets);
      const entry = { value, until, bytes: ENTRY_BYTES + size };
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
