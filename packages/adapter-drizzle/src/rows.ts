import { and, type SQL } from "drizzle-orm";
import type { AnyTable, OpenDatabase, Row } from "./database.ts";
import { inOneStep } from "./in-one-step.ts";
import { run } from "./query-error.ts";
import { countOf, requireRows } from "./results.ts";
import { onlyColumns } from "./where.ts";

/** The rows of one table. Each call is one statement where the database can give back what it wrote. */
export interface Rows extends Reads {
  /** Inserts a row. Resolves to it as it is stored; `where` finds it. */
  insert(row: object, where: SQL): Promise<Row>;
  /** Changes the row that `where` finds, if `when` is true of it. Resolves to it as it is after that; null if there is none. */
  update(changes: object, where: SQL, when?: SQL): Promise<Row | null>;
  /** Changes rows. Resolves to their number. */
  change(changes: object, where: SQL): Promise<number>;
  /** Deletes rows. Resolves to their number. */
  remove(where: SQL): Promise<number>;
  /** Deletes a row. Resolves to it for the one caller who deleted it, else to null. */
  take(where: SQL): Promise<Row | null>;
}

interface Reads {
  /** The row; null if there is none. */
  find(where: SQL): Promise<Row | null>;
  /** All rows. */
  list(where: SQL): Promise<readonly Row[]>;
}

/** The rows of a table. */
export function rowsOf(database: OpenDatabase, table: AnyTable): Rows {
  const list = (where: SQL) => run(() => database.db.select().from(table).where(where));
  const reads: Reads = { list, find: async (where) => (await list(where))[0] ?? null };
  const writes = database.dialect === "mysql" ? countingWrites : returningWrites;
  return { ...reads, ...writes(database, table, reads) };
}

/** With `RETURNING`. */
function returningWrites({ db }: OpenDatabase, table: AnyTable, { list }: Reads): Omit<Rows, keyof Reads> {
  const written = (write: () => PromiseLike<unknown>) => run(async () => requireRows(await write()));
  const update = async (changes: object, where: SQL) => {
    const set = onlyColumns(changes, table);
    // Nothing to change is still a question: is the row there?
    if (Object.keys(set).length === 0) return list(where);
    return written(() => db.update(table).set(set).where(where).returning());
  };
  const remove = (where: SQL) => written(() => db.delete(table).where(where).returning());
  return {
    async insert(row) {
      const [made] = await written(() => db.insert(table).values(onlyColumns(row, table)).returning());
      if (made === undefined) throw new TypeError("The database returned no row for an insert.");
      return made;
    },
    update: async (changes, where, when) => (await update(changes, and(where, when) ?? where))[0] ?? null,
    change: async (changes, where) => (await update(changes, where)).length,
    remove: async (where) => (await remove(where)).length,
    take: async (where) => (await remove(where))[0] ?? null,
  };
}

/** With the number of rows that a write touched, which is all that MySQL says. */
function countingWrites(database: OpenDatabase, table: AnyTable, { find, list }: Reads): Omit<Rows, keyof Reads> {
  const { db } = database;
  const remove = (where: SQL) => run(async () => countOf(await db.delete(table).where(where)));
  const change = async (changes: object, where: SQL) => {
    const set = onlyColumns(changes, table);
    if (Object.keys(set).length === 0) return (await list(where)).length;
    return run(async () => countOf(await db.update(table).set(set).where(where)));
  };
  return {
    change,
    remove,
    async insert(row, where) {
      await run(() => db.insert(table).values(onlyColumns(row, table)));
      const made = await find(where);
      if (made === null) throw new TypeError("The database does not find the row that it inserted.");
      return made;
    },
    async update(changes, where, when) {
      if (when !== undefined && database.steps !== "none")
        return changeAndRead(database, table, changes, [where, when]);
      const count = await change(changes, and(where, when) ?? where);
      // Some drivers count only rows that became different: without a condition, the row that is there is the answer.
      return count === 0 && when !== undefined ? null : find(where);
    },
    async take(where) {
      const row = await find(where);
      return row !== null && (await remove(where)) === 1 ? row : null;
    },
  };
}

/** The lock of the write keeps the row as it is until it was read. */
async function changeAndRead(
  database: OpenDatabase,
  table: AnyTable,
  changes: object,
  [where, when]: readonly [SQL, SQL],
): Promise<Row | null> {
  const set = onlyColumns(changes, table);
  const [written, rows] = await inOneStep(database, [
    (db) =>
      db
        .update(table)
        .set(set)
        .where(and(where, when) ?? where),
    (db) => db.select().from(table).where(where),
  ]);
  return countOf(written) === 0 ? null : (requireRows(rows)[0] ?? null);
}
