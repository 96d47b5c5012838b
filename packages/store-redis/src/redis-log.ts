import type { StoreEntries, StoreLog } from "@cardea/core/adapters";
import { toMilliseconds } from "./milliseconds.ts";
import type { Send } from "./redis-client.ts";
import { appendScript } from "./scripts.ts";

/** Entries per request. A response of this size takes the server a few milliseconds. */
const MAX_PAGE = 1000;

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
  const readFrom = async (name: string, from: string, count: number): Promise<readonly Row[]> =>
    parseRows(await send("XRANGE", keyOf("log", name), from, "+", "COUNT", String(count)));

  /** The page after a position: its entry is read again, to see that the log continues from there. */
  const readPage = async (name: string, after: string | null, limit: number): Promise<StoreEntries> => {
    const [generation, id = "", mark] = after?.split(".") ?? [];
    if (/^\d+-\d+$/.test(id)) {
      const rows = await readFrom(name, id, limit + 2);
      const [first] = rows;
      if (first?.id === id && first.generation === generation && first.mark === mark) {
        return toEntries(rows.slice(1), limit, { complete: true, before: first });
      }
    }
    const complete = after === null || after === "";
    return toEntries(await readFrom(name, "-", limit + 1), limit, { complete });
  };

  /** Every page after a position. */
  const readAll = async (name: string, after: string | null): Promise<StoreEntries> => {
    let page = await readPage(name, after, MAX_PAGE);
    let { complete, entries } = page;
    while (page.more) {
      page = await readPage(name, page.at, MAX_PAGE);
      // The log was replaced meanwhile.
      if (!page.complete) complete = false;
      entries = page.complete ? entries.concat(page.entries) : page.entries;
    }
    return { generation: page.generation, at: page.at, entries, complete };
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
    since: (name, after, { limit } = {}) =>
      limit === undefined ? readAll(name, after) : readPage(name, after, Math.min(limit, MAX_PAGE)),
  };
}

/** A page of rows, of which those beyond the limit only show that there are more. */
function toEntries(
  rows: readonly Row[],
  limit: number,
  { complete, before }: { readonly complete: boolean; readonly before?: Row },
): StoreEntries {
  const page = rows.slice(0, limit);
  const last = page.at(-1) ?? before;
  const entries = page.map(({ entry }) => entry);
  if (last === undefined) return { generation: "", at: "", entries, complete };
  const { generation, id, mark } = last;
  return {
    generation,
    at: `${generation}.${id}.${mark}`,
    entries,
    complete,
    ...(rows.length > limit && { more: true }),
  };
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
