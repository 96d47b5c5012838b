import type { StoreEntries, StoreLog } from "@cardea/core/adapters";
import { toMilliseconds } from "./milliseconds.ts";
import type { Send } from "./redis-client.ts";
import { appendScript } from "./scripts.ts";

/** Entries per request. A response of this size takes the server a few milliseconds. */
const BATCH = 1000;

interface Row {
  readonly id: string;
  readonly generation: string;
  readonly mark: string;
  readonly entry: string;
}

/**
 * The log as a Redis Stream. A position is `<generation>.<id>.<mark>`. After a failover to a replica that lags behind,
 * other entries may have replaced the lost ones; their marks differ.
 */
export function redisLog(send: Send, keyOf: (kind: "text" | "log", key: string) => string): StoreLog {
  const read = async (name: string, from: string): Promise<readonly Row[]> =>
    parseRows(await send("XRANGE", keyOf("log", name), from, "+", "COUNT", String(BATCH)));

  /** The rows starting with the first of `batch`; undefined if the log was replaced while it was read. */
  const readOn = async (name: string, batch: readonly Row[]): Promise<readonly Row[] | undefined> => {
    const rows = [...batch];
    for (let size = batch.length; size === BATCH; ) {
      const next = await read(name, `(${rows.at(-1)?.id}`);
      rows.push(...next);
      size = next.length;
    }
    return rows.every(({ generation }) => generation === rows[0]?.generation) ? rows : undefined;
  };

  const readAll = async (name: string, complete: boolean): Promise<StoreEntries> => {
    const rows = await readOn(name, await read(name, "-"));
    return rows === undefined ? readAll(name, false) : toEntries(rows, rows.at(-1), complete);
  };

  return {
    async append(name, entry, { ttl, keys = {} }) {
      const mark = crypto.randomUUID().slice(0, 8);
      const names = [keyOf("log", name), ...Object.keys(keys).map((key) => keyOf("text", key))];
      const values = [entry, toMilliseconds(ttl), crypto.randomUUID(), mark, ...Object.values(keys)];
      const reply = await send("EVAL", appendScript, String(names.length), ...names, ...values);
      const [generation, id] = parseTexts(reply);
      return `${generation}.${id}.${mark}`;
    },
    async since(name, after) {
      if (after === null || after === "") return readAll(name, true);
      const [generation, id = "", mark] = after.split(".");
      if (!/^\d+-\d+$/.test(id)) return readAll(name, false);
      const batch = await read(name, id);
      const [first] = batch;
      const goesOn = first?.id === id && first.generation === generation && first.mark === mark;
      const rows = goesOn ? await readOn(name, batch) : undefined;
      return rows === undefined ? readAll(name, false) : toEntries(rows.slice(1), rows.at(-1), true);
    },
  };
}

function toEntries(rows: readonly Row[], last: Row | undefined, complete: boolean): StoreEntries {
  const entries = rows.map(({ entry }) => entry);
  if (last === undefined) return { generation: "", at: "", entries, complete };
  const { generation, id, mark } = last;
  return { generation, at: `${generation}.${id}.${mark}`, entries, complete };
}

/** Rows of a Stream: `[id, ["g", generation, "m", mark, "x", end, "e", entry]]`. */
function parseRows(reply: unknown): readonly Row[] {
  if (!Array.isArray(reply)) throw new TypeError("Unexpected Redis response to XRANGE: not a list.");
  return reply.map((row: unknown) => {
    const [id, fields] = Array.isArray(row) ? row : [];
    const [, generation = "", , mark = "", , , , entry = ""] = parseTexts(fields);
    return { id: String(id), generation, mark, entry };
  });
}

function parseTexts(reply: unknown): readonly string[] {
  if (!Array.isArray(reply)) throw new TypeError("Unexpected Redis response: not a list.");
  return reply.map(String);
}
