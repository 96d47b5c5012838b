import { and, type SQL } from "drizzle-orm";
import type { AnyTable, OpenDatabase, Row } from "./database.ts";
import { inOneStep } from "./in-one-step.ts";
import { run } from "./query-error.ts";
import { countOf, requireRows } from "./results.ts";
import { onlyColumns } from "./where.ts";

/** The rows of a table. Each call is one statement if the database can return written rows. */
export interface Rows extends Reads {
  /** Inserts a row and resolves to the stored row, which `where` matches. */
  insert(row: object, where: SQL): Promise<Row>;
  /** Updates the row that `where` matches, if `when` is true. Resolves to the updated row; null if there is none. */
  update(changes: object, where: SQL, when?: SQL): Promise<Row | null>;
  /** Updates rows; resolves to their number. */
  change(changes: object, where: SQL): Promise<number>;
  /** Deletes rows; resolves to their number. */
  remove(where: SQL): Promise<number>;
  /** Deletes a row. Resolves to the row for the caller that deleted it, otherwise to null. */
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
  const list = (where: SQL) => run(database, () => database.db.select().from(table).where(where));
  const reads: Reads = { list, find: async (where) => (await list(where))[0] ?? null };
  const writes = database.dialect === "mysql" ? countingWrites : returningWrites;
  return { ...reads, ...writes(database, table, reads) };
}

/** With `RETURNING`. */
function returningWrites(database: OpenDatabase, table: AnyTable, { list }: Reads): Omit<Rows, keyof Reads> {
  const { db } = database;
  const written = (write: () => PromiseLike<unknown>) => run(database, async () => requireRows(await write()));
  const update = async (changes: object, where: SQL) => {
    const set = onlyColumns(changes, table);
    // Even without changes, the row must be looked up.
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

/** With the number of affected rows, which is all that MySQL returns. */
function countingWrites(database: OpenDatabase, table: AnyTable, { find, list }: Reads): Omit<Rows, keyof Reads> {
  const { db } = database;
  const remove = (where: SQL) => run(database, async () => countOf(await db.delete(table).where(where)));
  const change = async (changes: object, where: SQL) => {
    const set = onlyColumns(changes, table);
    if (Object.keys(set).length === 0) return (await list(where)).length;
    return run(database, async () => countOf(await db.update(table).set(set).where(where)));
  };
  return {
    change,
    remove,
    async insert(row, where) {
      await run(database, () => db.insert(table).values(onlyColumns(row, table)));
      const made = await find(where);
      if (made === null) throw new TypeError("The inserted row was not found in the database.");
      return made;
    },
    async update(changes, where, when) {
      if (when !== undefined && database.steps !== "none")
        return changeAndRead(database, table, changes, [where, when]);
      const count = await change(changes, and(where, when) ?? where);
      // Some drivers count only rows that actually changed: without a condition, return the existing row.
      return count === 0 && when !== undefined ? null : find(where);
    },
    async take(where) {
      const row = await find(where);
      return row !== null && (await remove(where)) === 1 ? row : null;
    },
  };
}

/** The write lock prevents changes until the row is read. */
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
