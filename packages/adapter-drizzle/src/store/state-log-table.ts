import type { StateLogRow, StateLogTable, StateRow } from "@cardea/core/adapters";
import { and, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { AnyTable, OpenDatabase, Row } from "../database.ts";
import { inOneStep, type Part, returning } from "../in-one-step.ts";
import { run } from "../query-error.ts";
import { requireRows } from "../results.ts";
import { columnOf, whereText } from "../where.ts";
import { nextVersion, putRows, putStates } from "./state-table.ts";

/** The most texts that one statement sets; D1 binds at most 100 values. */
const TEXTS_PER_STATEMENT = 20;

/** The table of logs, with their heads in the table of the shared state. */
export function stateLogTable(database: OpenDatabase, states: AnyTable, entries: AnyTable): StateLogTable {
  const { db, dialect } = database;
  return {
    async append(head, entry, texts) {
      const version = columnOf(states, "version");
      const seq = sql`(select ${version} from ${states} where ${whereText(dialect, states, { key: head.key })})`;
      const last: Part = (db) => lastEntry({ ...database, db }, states, entries, entry.name, head.key);
      const results = await inOneStep(database, [
        (db) => returning(database, putRows(dialect, db, states, [head], { version: nextVersion(states) })),
        (db) => returning(database, db.insert(entries).values({ ...entry, seq })),
        ...setTexts(database, states, texts),
        last,
      ]);
      const [row] = requireRows(results.at(-1));
      if (row === undefined) throw new TypeError("The inserted entry was not found in the database.");
      return toEntry(row);
    },
    read: (name, o) => readLog(database, states, entries, { ...o, name }),
    async purge(name, below, before, limit) {
      const [seq, expires] = [columnOf(entries, "seq"), columnOf(entries, "expires")];
      const isOf = whereText(dialect, entries, { name });
      const isOld = and(isOf, lt(seq, below), lt(expires, before)) ?? sql`false`;
      const find = () => db.select({ seq }).from(entries).where(isOld).orderBy(expires).limit(limit);
      const numbers = (await run(database, find)).map((row) => Number(row.seq));
      if (numbers.length === 0) return;
      await run(database, () => db.delete(entries).where(and(isOf, inArray(seq, numbers)) ?? sql`false`));
    },
  };
}

function setTexts(database: OpenDatabase, states: AnyTable, texts: readonly StateRow[]): readonly Part[] {
  return Array.from({ length: Math.ceil(texts.length / TEXTS_PER_STATEMENT) }, (_, n): Part => {
    const some = texts.slice(n * TEXTS_PER_STATEMENT, (n + 1) * TEXTS_PER_STATEMENT);
    return (db) => returning(database, putStates(database.dialect, db, states, some));
  });
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

function lastEntry({ db, dialect }: OpenDatabase, states: AnyTable, entries: AnyTable, name: string, key: string) {
  const isLast = and(whereText(dialect, entries, { name }), eq(columnOf(entries, "seq"), columnOf(states, "version")));
  return db
    .select(columnsOf(states, entries))
    .from(states)
    .innerJoin(entries, isLast ?? sql`false`)
    .where(whereText(dialect, states, { key }));
}

/**
 * The log starting at a number, read in one statement, so that entries and generation match. The limit is inside the join:
 * outside, a database sorts the whole rest of the log for each page.
 */
async function readLog(
  database: OpenDatabase,
  states: AnyTable,
  entries: AnyTable,
  { name, key, from, limit }: { readonly name: string } & Parameters<StateLogTable["read"]>[1],
): ReturnType<StateLogTable["read"]> {
  const { db, dialect } = database;
  const ofLog = and(whereText(dialect, entries, { name }), gte(columnOf(entries, "seq"), from)) ?? sql`false`;
  const isHead = whereText(dialect, states, { key });
  const { generation, ...columns } = columnsOf(states, entries);
  const query = () => {
    const rest = db.select(columns).from(entries).where(ofLog).orderBy(columns.seq);
    const page = (limit === undefined ? rest : rest.limit(limit)).as("page");
    const { seq = columns.seq, entry, expires } = page;
    const all = { generation, seq, entry, expires };
    return db.select(all).from(states).leftJoin(page, sql`1 = 1`).where(isHead).orderBy(seq);
  };
  const [first, ...others] = await run(database, query);
  if (first === undefined) return { generation: null, entries: [] };
  const found = [first, ...others].filter((row) => row.seq !== null).map(toEntry);
  return { generation: String(first.generation ?? ""), entries: found };
}

/** A cast: the columns were checked when the adapter was created. */
function toEntry(row: Row): StateLogRow {
  return { ...(row as unknown as StateLogRow), seq: Number(row.seq) };
}
