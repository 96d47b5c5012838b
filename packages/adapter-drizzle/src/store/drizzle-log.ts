import type { StoreEntries, StoreLog } from "@cardea/core/adapters";
import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { AnyTable, OpenDatabase, Row } from "../database.ts";
import { inOneStep, type Part, returning } from "../in-one-step.ts";
import { run } from "../query-error.ts";
import { requireRows } from "../results.ts";
import { columnOf, whereText } from "../where.ts";
import { nextVersion, putRow, putText } from "./put-row.ts";
import { endOf } from "./state-rows.ts";
import { sha256, storedKey } from "./stored-key.ts";

/** After this many entries, expired entries are deleted. */
const ENTRIES_UNTIL_PURGE = 16;

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
  const readFrom = (name: string, seq: number) => readLog(database, states, entries, name, seq);
  let appended = 0;
  return {
    async append(logName, entry, { ttl, keys = {} }) {
      const name = await storedKey(logName);
      const expires = endOf(ttl) ?? new Date();
      const texts = await Promise.all(
        Object.entries(keys).map(async ([key, value]) => ({ key: await storedKey(key), value, expires })),
      );
      const parts = writeEntry(database, states, entries, { name, entry, expires });
      const setKeys = texts.map(
        (text): Part =>
          (db) =>
            returning(database, putText(database.dialect, db, states, text)),
      );
      const purge = ++appended % ENTRIES_UNTIL_PURGE === 0 ? [purgeEntries(database, states, entries, name)] : [];
      const last: Part = (db) => lastEntry(database, db, states, entries, name);
      const results = await inOneStep(database, [...parts, ...setKeys, ...purge, last]);
      const [row] = requireRows(results.at(-1));
      if (row === undefined) throw new TypeError("The inserted entry was not found in the database.");
      return positionOf(toEntry(row));
    },
    async since(logName, after) {
      const name = await storedKey(logName);
      const [generation, seq = ""] = (after ?? "").split(".");
      const isPosition = /^\d{1,15}$/.test(seq);
      const { generation: current, entries: found } = await readFrom(name, isPosition ? Number(seq) : 0);
      if (current === "") return { generation: "", at: "", entries: [], complete: after === null || after === "" };
      if (after === null || after === "") return toEntries(current, found, true);
      const goesOn = generation === current && found[0] !== undefined && (await positionOf(found[0])) === after;
      if (goesOn) return toEntries(current, found.slice(1), true, after);
      const { generation: whole, entries: everything } = await readFrom(name, 0);
      return toEntries(whole, everything, false);
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

/** Deletes expired entries, except the one before the new entry, because readers may be positioned there. */
function purgeEntries(database: OpenDatabase, states: AnyTable, entries: AnyTable, name: string): Part {
  const isOld = and(
    whereText(database.dialect, entries, { name }),
    lt(columnOf(entries, "seq"), sql`${numberOf(database, states, name)} - 1`),
    lt(columnOf(entries, "expires"), new Date()),
  );
  return (db) => returning(database, db.delete(entries).where(isOld ?? sql`false`));
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

/** The log starting at a number, read in one statement, so that entries and generation match. */
async function readLog(
  database: OpenDatabase,
  states: AnyTable,
  entries: AnyTable,
  name: string,
  from: number,
): Promise<Reading> {
  const { db, dialect } = database;
  const ofLog = and(whereText(dialect, entries, { name }), gte(columnOf(entries, "seq"), from)) ?? sql`false`;
  const isHead = whereText(dialect, states, { key: headKey(name) });
  const seq = columnOf(entries, "seq");
  const query = () =>
    db.select(columnsOf(states, entries)).from(states).leftJoin(entries, ofLog).where(isHead).orderBy(seq);
  const rows = await run(database, query);
  const found = rows.filter((row) => row.seq !== null).map(toEntry);
  return { generation: String(rows[0]?.generation ?? ""), entries: found };
}

/** A cast: the columns were checked when the adapter was created. */
function toEntry(row: Row): Entry {
  return { ...(row as unknown as Entry), seq: Number(row.seq) };
}

async function toEntries(
  generation: string,
  rows: readonly Entry[],
  complete: boolean,
  before = "",
): Promise<StoreEntries> {
  const last = rows.at(-1);
  const at = last === undefined ? before : await positionOf(last);
  return { generation, at, entries: rows.map(({ entry }) => entry), complete };
}

async function positionOf({ generation, seq, entry, expires }: Entry): Promise<string> {
  return `${generation}.${seq}.${(await sha256(`${expires.getTime()} ${entry}`)).slice(0, 8)}`;
}
