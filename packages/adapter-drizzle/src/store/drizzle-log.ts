import type { StoreEntries, StoreLog } from "@cardea/core/adapters";
import { and, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { AnyTable, OpenDatabase, Row } from "../database.ts";
import { inOneStep, type Part, returning } from "../in-one-step.ts";
import { run } from "../query-error.ts";
import { requireRows } from "../results.ts";
import { columnOf, whereText } from "../where.ts";
import { nextVersion, putRow, putTexts, type Text } from "./put-row.ts";
import { endOf } from "./state-rows.ts";
import { sha256, storedKey } from "./stored-key.ts";

/** After this many entries, expired entries are deleted. */
const ENTRIES_UNTIL_PURGE = 16;

/** The most entries that one statement deletes, so that it holds locks briefly; D1 binds at most 100 values. */
const ENTRIES_PER_PURGE = 98;

/** The most texts that one statement sets; D1 binds at most 100 values. */
const TEXTS_PER_STATEMENT = 20;

/** An entry with the generation of its log. */
interface Entry {
  readonly generation: string;
  readonly seq: number;
  readonly entry: string;
  readonly expires: Date;
}

/** The content of a log: its generation, and entries in order. */
interface Reading {
  readonly generation: string;
  readonly entries: readonly Entry[];
}

/**
 * The log. The next number is taken from the row of the log in the table of states, under its lock and in the step that
 * inserts the entry: therefore, numbers are in the order of commits, and a rolled-back entry leaves no gap. A database
 * sequence would be numbered at insert but visible at commit: a reader that saw 11 would never see 10.
 *
 * A position is `<generation>.<number>.<mark>`: after a failover to a replica that lags behind, other entries may have
 * the numbers of lost ones; their marks differ.
 */
export function drizzleLog(database: OpenDatabase, states: AnyTable, entries: AnyTable): StoreLog {
  const readFrom = (name: string, seq: number, limit?: number) =>
    readLog(database, states, entries, { name, seq, limit });
  let appended = 0;
  return {
    async append(logName, entry, { ttl, keys = {} }) {
      const name = await storedKey(logName);
      const expires = endOf(ttl) ?? new Date();
      const texts = await Promise.all(
        Object.entries(keys).map(async ([key, value]) => ({ key: await storedKey(key), value, expires })),
      );
      const parts = writeEntry(database, states, entries, { name, entry, expires });
      const last: Part = (db) => lastEntry(database, db, states, entries, name);
      const results = await inOneStep(database, [...parts, ...setTexts(database, states, texts), last]);
      const [row] = requireRows(results.at(-1));
      if (row === undefined) throw new TypeError("The inserted entry was not found in the database.");
      const written = toEntry(row);
      // Afterwards, so that the row of the log is not locked meanwhile. A failed cleanup is repeated by the next one.
      if (++appended % ENTRIES_UNTIL_PURGE === 0)
        await purgeEntries(database, entries, name, written.seq).catch(() => undefined);
      return positionOf(written);
    },
    async since(logName, after, { limit } = {}) {
      const name = await storedKey(logName);
      const [generation, seq = ""] = (after ?? "").split(".");
      const isPosition = /^\d{1,15}$/.test(seq);
      const { generation: current, entries: found } = await readFrom(
        name,
        isPosition ? Number(seq) : 0,
        limit && limit + 1,
      );
      if (current === "") return { generation: "", at: "", entries: [], complete: after === null || after === "" };
      if (after === null || after === "") return toEntries(current, found, { limit, complete: true });
      const goesOn = generation === current && found[0] !== undefined && (await positionOf(found[0])) === after;
      if (goesOn) return toEntries(current, found.slice(1), { limit, complete: true, before: after });
      const { generation: whole, entries: first } = await readFrom(name, 0, limit);
      return toEntries(whole, first, { limit, complete: false });
    },
  };
}

/** Key of the row with a log's generation (its text) and the number of its last entry (its version). */
const headKey = (name: string): string => `log:${name}`;

function writeEntry(
  database: OpenDatabase,
  states: AnyTable,
  entries: AnyTable,
  row: { readonly name: string; readonly entry: string; readonly expires: Date },
): readonly Part[] {
  const { dialect } = database;
  const key = headKey(row.name);
  const head = { key, value: crypto.randomUUID(), expires: null, version: 1 };
  return [
    (db) => returning(database, putRow(dialect, db, states, head, { version: nextVersion(states) })),
    (db) => returning(database, db.insert(entries).values({ ...row, seq: numberOf(database, states, row.name) })),
  ];
}

/** The number of the last entry of a log. */
function numberOf({ dialect }: OpenDatabase, states: AnyTable, name: string): SQL {
  const isHead = whereText(dialect, states, { key: headKey(name) });
  return sql`(select ${columnOf(states, "version")} from ${states} where ${isHead})`;
}

/** Sets the texts of an entry, in the order of their keys, so that concurrent steps lock them in the same order. */
function setTexts(database: OpenDatabase, states: AnyTable, texts: readonly Text[]): readonly Part[] {
  const sorted = [...texts].sort((a, b) => (a.key < b.key ? -1 : 1));
  return Array.from({ length: Math.ceil(sorted.length / TEXTS_PER_STATEMENT) }, (_, n): Part => {
    const some = sorted.slice(n * TEXTS_PER_STATEMENT, (n + 1) * TEXTS_PER_STATEMENT);
    return (db) => returning(database, putTexts(database.dialect, db, states, some));
  });
}

/**
 * Deletes some of the expired entries, the oldest first, except the one before the new entry, because readers may be
 * positioned there.
 */
async function purgeEntries(database: OpenDatabase, entries: AnyTable, name: string, newest: number): Promise<void> {
  const { db, dialect } = database;
  const [seq, expires] = [columnOf(entries, "seq"), columnOf(entries, "expires")];
  const isOf = whereText(dialect, entries, { name });
  const isOld = and(isOf, lt(seq, newest - 1), lt(expires, new Date())) ?? sql`false`;
  const find = () => db.select({ seq }).from(entries).where(isOld).orderBy(expires).limit(ENTRIES_PER_PURGE);
  const numbers = (await run(database, find)).map((row) => Number(row.seq));
  if (numbers.length === 0) return;
  await run(database, () => db.delete(entries).where(and(isOf, inArray(seq, numbers)) ?? sql`false`));
}

/** Columns of head and entry, with distinct names. */
function columnsOf(states: AnyTable, entries: AnyTable) {
  return {
    generation: columnOf(states, "value"),
    seq: columnOf(entries, "seq"),
    entry: columnOf(entries, "entry"),
    expires: columnOf(entries, "expires"),
  };
}

function lastEntry(
  { dialect }: OpenDatabase,
  db: OpenDatabase["db"],
  states: AnyTable,
  entries: AnyTable,
  name: string,
) {
  const isLast = and(whereText(dialect, entries, { name }), eq(columnOf(entries, "seq"), columnOf(states, "version")));
  const isHead = whereText(dialect, states, { key: headKey(name) });
  return db
    .select(columnsOf(states, entries))
    .from(states)
    .innerJoin(entries, isLast ?? sql`false`)
    .where(isHead);
}

/**
 * The log starting at a number, read in one statement, so that entries and generation match: one entry more than the
 * limit, which shows that there are more. The limit is inside the join: outside, a database sorts the whole rest of the
 * log for each page.
 */
async function readLog(
  database: OpenDatabase,
  states: AnyTable,
  entries: AnyTable,
  { name, seq: from, limit }: { readonly name: string; readonly seq: number; readonly limit: number | undefined },
): Promise<Reading> {
  const { db, dialect } = database;
  const ofLog = and(whereText(dialect, entries, { name }), gte(columnOf(entries, "seq"), from)) ?? sql`false`;
  const isHead = whereText(dialect, states, { key: headKey(name) });
  const { generation, ...columns } = columnsOf(states, entries);
  const query = () => {
    const rest = db.select(columns).from(entries).where(ofLog).orderBy(columns.seq);
    const page = (limit === undefined ? rest : rest.limit(limit + 1)).as("page");
    const { seq = columns.seq, entry, expires } = page;
    const all = { generation, seq, entry, expires };
    return db.select(all).from(states).leftJoin(page, sql`1 = 1`).where(isHead).orderBy(seq);
  };
  const rows = await run(database, query);
  const found = rows.filter((row) => row.seq !== null).map(toEntry);
  return { generation: String(rows[0]?.generation ?? ""), entries: found };
}

/** A cast: the columns were checked when the adapter was created. */
function toEntry(row: Row): Entry {
  return { ...(row as unknown as Entry), seq: Number(row.seq) };
}

interface PageFacts {
  readonly limit: number | undefined;
  readonly complete: boolean;
  /** The position to go on from if there are no entries. */
  readonly before?: string;
}

/** A page of entries, of which those beyond the limit only show that there are more. */
async function toEntries(
  generation: string,
  rows: readonly Entry[],
  { limit, complete, before = "" }: PageFacts,
): Promise<StoreEntries> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const at = last === undefined ? before : await positionOf(last);
  const more = page.length < rows.length;
  return { generation, at, entries: page.map(({ entry }) => entry), complete, ...(more && { more }) };
}

async function positionOf({ generation, seq, entry, expires }: Entry): Promise<string> {
  return `${generation}.${seq}.${(await sha256(`${expires.getTime()} ${entry}`)).slice(0, 8)}`;
}
