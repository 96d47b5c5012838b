import type { StoreLog } from "../model/store.ts";
import type { EpochMilliseconds, Seconds } from "../model/units.ts";
import { requireSeconds, requireText } from "./require-arguments.ts";

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

/** The parts of an in-memory log. */
export interface MemoryLogParts {
  readonly now: () => EpochMilliseconds;
  readonly random: () => string;
  readonly setKey: (key: string, text: string, ttl: Seconds) => void;
}

/** The log of an in-memory store. A position is `<generation>.<number>`. */
export function memoryLog({ now, random, setKey }: MemoryLogParts): StoreLog {
  const logs = new Map<string, Log>();
  return {
    async append(name, text, { ttl, keys = {} }) {
      const end = now() + 1000 * requireSeconds(ttl);
      const values = Object.entries(keys).map(([key, value]) => [key, requireText(value, "keys")] as const);
      const log = logs.get(requireText(name, "name")) ?? { generation: random(), entries: [], last: 0 };
      const entry = { seq: log.last + 1, text: requireText(text, "entry"), end };
      removeExpired(log.entries, now());
      log.entries.push(entry);
      log.last = entry.seq;
      logs.set(name, log);
      for (const [key, value] of values) setKey(key, value, ttl);
      return `${log.generation}.${entry.seq}`;
    },
    async since(name, after) {
      const log = logs.get(requireText(name, "name"));
      if (log === undefined) return { generation: "", at: "", entries: [], complete: !after };
      const [generation, seq] = after?.split(".") ?? [];
      const complete = !after || (generation === log.generation && Number(seq) <= log.last);
      const from = after && complete ? Number(seq) : 0;
      const first = log.entries[0]?.seq ?? 0;
      const entries = log.entries.slice(Math.max(0, from + 1 - first)).map(({ text }) => text);
      return { generation: log.generation, at: `${log.generation}.${log.last}`, entries, complete };
    },
  };
}

/** Removes expired entries at the front. */
function removeExpired(entries: Entry[], now: EpochMilliseconds): void {
  const firstAlive = entries.findIndex(({ end }) => end > now);
  if (firstAlive !== 0) entries.splice(0, firstAlive < 0 ? entries.length : firstAlive);
}
