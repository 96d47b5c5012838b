import { randomHex } from "../crypto/random-hex.ts";
import type { Store, StoreLog } from "../model/store.ts";
import type { EpochMilliseconds, Seconds } from "../model/units.ts";
import { parseCount, requireSafe, requireSeconds, requireText } from "./store-values.ts";

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /**
   * 1 declares that the application never runs as more than one process, which suppresses the warning. A process starts
   * with an empty store: earlier values are lost.
   */
  readonly instances?: 1;
  /** Milliseconds since 1970; default `Date.now`. For tests. */
  readonly now?: () => EpochMilliseconds;
}

interface Held {
  readonly text: string;
  /** Null: no expiry. */
  readonly end: EpochMilliseconds | null;
}

/**
 * An in-memory store, for development, tests, and single-process applications.
 *
 * Nothing is shared between processes or survives a restart: with two processes, each counts limits separately, and a
 * session ended in one process stays valid in the other. In production, a warning is logged at startup unless
 * `instances` is 1.
 */
export function memoryStore({ instances, now = Date.now }: MemoryStoreOptions = {}): Store {
  const held = new Map<string, Held>();
  let writesUntilSweep = 1000;

  const find = (key: string): Held | undefined => {
    const found = held.get(requireText(key, "key"));
    return found === undefined || isOver(found.end, now()) ? undefined : found;
  };
  const put = (key: string, text: string, end: EpochMilliseconds | null): void => {
    held.set(key, { text, end });
    if (--writesUntilSweep > 0) return;
    // One scan of all keys, amortized over as many writes.
    for (const [name, { end: over }] of held) if (isOver(over, now())) held.delete(name);
    writesUntilSweep = Math.max(1000, held.size);
  };
  const endOf = (ttl: Seconds | null): EpochMilliseconds | null =>
    ttl === null ? null : now() + 1000 * requireSeconds(ttl);

  return {
    scope: instances === 1 ? "application" : "process",
    async get(key) {
      return find(key)?.text ?? null;
    },
    async set(key, value, { ttl, ifAbsent }) {
      const end = endOf(ttl);
      if (ifAbsent === true && find(key) !== undefined) return false;
      put(requireText(key, "key"), requireText(value, "value"), end);
      return true;
    },
    async add(key, by, { ttl }) {
      const before = find(key);
      const firstEnd = endOf(ttl);
      const end = before === undefined ? firstEnd : before.end;
      const value = requireSafe(requireSafe(by) + parseCount(before?.text ?? "0", key));
      put(key, String(value), end);
      return { value, ttl: end === null ? null : Math.ceil((end - now()) / 1000) };
    },
    async swap(key, expected, next, { ttl }) {
      const end = endOf(ttl);
      if ((find(key)?.text ?? null) !== expected) return false;
      if (next === null) held.delete(key);
      else put(key, requireText(next, "next"), end);
      return true;
    },
    log: memoryLog(now, (key, text, ttl) => put(requireText(key, "key"), text, endOf(ttl))),
  };
}

/** A value that ends now has expired. */
function isOver(end: EpochMilliseconds | null, now: EpochMilliseconds): boolean {
  return end !== null && end <= now;
}

interface Entry {
  readonly seq: number;
  readonly text: string;
  readonly end: EpochMilliseconds;
}

interface Log {
  readonly generation: string;
  /** Ordered by number, without gaps. */
  readonly entries: Entry[];
  last: number;
}

/** The log of an in-memory store. A position is `<generation>.<number>`. */
function memoryLog(now: () => EpochMilliseconds, setKey: (key: string, text: string, ttl: Seconds) => void): StoreLog {
  const logs = new Map<string, Log>();
  return {
    async append(name, text, { ttl, keys = {} }) {
      const end = now() + 1000 * requireSeconds(ttl);
      const values = Object.entries(keys).map(([key, value]) => [key, requireText(value, "keys")] as const);
      const log = logs.get(requireText(name, "name")) ?? { generation: randomHex(), entries: [], last: 0 };
      const entry = { seq: log.last + 1, text: requireText(text, "entry"), end };
      removeExpired(log.entries, now());
      log.entries.push(entry);
      log.last = entry.seq;
      logs.set(name, log);
      for (const [key, value] of values) setKey(key, value, ttl);
      return `${log.generation}.${entry.seq}`;
    },
    async since(name, after, { limit = Infinity } = {}) {
      const log = logs.get(requireText(name, "name"));
      if (log === undefined) return { generation: "", at: "", entries: [], complete: !after };
      const [generation, seq] = after?.split(".") ?? [];
      const complete = !after || (generation === log.generation && Number(seq) <= log.last);
      const from = after && complete ? Number(seq) : 0;
      const first = log.entries[0]?.seq ?? 0;
      const start = Math.max(0, from + 1 - first);
      const page = log.entries.slice(start, start + limit);
      const more = start + page.length < log.entries.length;
      const at = `${log.generation}.${more ? page.at(-1)?.seq : log.last}`;
      return { generation: log.generation, at, entries: page.map(({ text }) => text), complete, ...(more && { more }) };
    },
  };
}

/** Removes expired entries at the front. */
function removeExpired(entries: Entry[], now: EpochMilliseconds): void {
  const firstAlive = entries.findIndex(({ end }) => end > now);
  if (firstAlive !== 0) entries.splice(0, firstAlive < 0 ? entries.length : firstAlive);
}
