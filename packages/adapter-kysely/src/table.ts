import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { type Columns, fromStored, toStored } from "./columns.ts";
import { type Connection, runStatement } from "./connection.ts";
import { isImpossibleValue } from "./query-error.ts";

type AnyTable = Record<string, Record<string, unknown>>;

/** An expression builder for a table with untyped columns. */
export type Builder = ExpressionBuilder<AnyTable, string>;

/** Columns and the exact text of each. */
export type Key = Readonly<Record<string, string>>;

/** An additional condition. */
export type And = (builder: Builder) => Expression<SqlBool>;

/** A table. Each method runs one statement; some need two in MySQL. */
export interface Table<Row> {
  /** Inserts a row. Rejects if a unique key already exists. */
  insert(row: object): Promise<void>;
  /** The row with this key; null if there is none. */
  find(key: Key): Promise<Row | null>;
  /** All rows with this key. */
  list(key: Key, and?: And): Promise<Row[]>;
  /** Updates rows; resolves to the number of matched rows. */
  update(key: Key, changes: object, and?: And): Promise<number>;
  /**
   * Updates the row with this key, and resolves to it; null if there is none. With a condition in MySQL, only a transaction keeps
   * others from changing the row before it is read.
   */
  updateAndRead(key: Key, changes: object | ((builder: Builder) => object), and?: And): Promise<Row | null>;
  /** Deletes rows; resolves to their number. */
  remove(key: Key, and?: And): Promise<number>;
  /** Deletes the row with this key. Of several callers, one receives it; the others receive null. */
  take(key: Key): Promise<Row | null>;
}

/** A cast: the caller declares the columns of the row. */
function assumeRow<Row>(row: object): Row {
  return row as Row;
}

/** The condition that each of these columns equals its text exactly. @throws TypeError for a non-string. */
export function matches({ kind }: Connection, key: Key, builder: Builder): Expression<SqlBool> {
  return builder.and(
    Object.entries(key).flatMap(([column, value]) => {
      const equal = builder(column, "=", requireText(value, column));
      if (kind !== "mysql") return [equal];
      // MySQL's default collations treat texts that differ in case, accents or trailing spaces as equal.
      const stored = sql`cast(convert(${builder.ref(column)} using utf8mb4) as binary)`;
      return [equal, sql<SqlBool>`${stored} = cast(convert(${value} using utf8mb4) as binary)`];
    }),
  );
}

/**
 * Returns a value that must be a string, because an object in a condition would be an expression. @throws TypeError
 * otherwise.
 */
export function requireText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} must be a string, not ${value === null ? "null" : typeof value}.`);
}

/** The result of a statement; `none` if its condition contains a value that no row can have. */
async function orNone<T>(statement: Promise<T>, none: T): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (isImpossibleValue(error)) return none;
    throw error;
  }
}

/** Creates a table with its non-text columns. */
export function createTable<Row>(connection: Connection, name: string, columns: Columns): Table<Row> {
  const { db, kind } = connection;
  const read = (row: object): Row => assumeRow(fromStored({ ...row }, columns));
  const run = <T>(statement: () => Promise<T>, none: T): Promise<T> =>
    orNone(runStatement(connection, statement), none);
  const where =
    (key: Key, and?: And) =>
    (builder: Builder): Expression<SqlBool> =>
      and === undefined
        ? matches(connection, key, builder)
        : builder.and([matches(connection, key, builder), and(builder)]);
  const select = async (key: Key, and?: And): Promise<Row[]> =>
    (await run(() => db.selectFrom(name).selectAll().where(where(key, and)).execute(), [])).map(read);

  return {
    async insert(row) {
      await runStatement(connection, () =>
        db
          .insertInto(name)
          .values(toStored(row, columns, kind))
          .execute(),
      );
    },
    find: async (key) => (await select(key))[0] ?? null,
    list: select,
    async update(key, changes, and) {
      const statement = db
        .updateTable(name)
        .set(toStored(changes, columns, kind))
        .where(where(key, and));
      const results = await run(() => statement.execute(), []);
      return Number(results[0]?.numUpdatedRows ?? 0);
    },
    async updateAndRead(key, changes, and) {
      const given = typeof changes === "function" ? changes : () => changes;
      const stored = (builder: Builder) => toStored(given(builder), columns, kind);
      if (typeof changes !== "function" && Object.keys(toStored(changes, columns, kind)).length === 0) {
        return (await select(key))[0] ?? null;
      }
      const statement = db.updateTable(name).set(stored).where(where(key, and));
      if (kind !== "mysql") {
        const [row] = await run(() => statement.returningAll().execute(), []);
        return row === undefined ? null : read(row);
      }
      const [result] = await run(() => statement.execute(), []);
      if (and !== undefined && Number(result?.numUpdatedRows ?? 0) === 0) return null;
      return (await select(key))[0] ?? null;
    },
    async remove(key, and) {
      const results = await run(() => db.deleteFrom(name).where(where(key, and)).execute(), []);
      return Number(results[0]?.numDeletedRows ?? 0);
    },
    async take(key) {
      const statement = db.deleteFrom(name).where(where(key));
      if (kind !== "mysql") {
        const [row] = await run(() => statement.returningAll().execute(), []);
        return row === undefined ? null : read(row);
      }
      const [row] = await select(key);
      if (row === undefined) return null;
      const results = await run(() => statement.execute(), []);
      return Number(results[0]?.numDeletedRows ?? 0) === 1 ? row : null;
    },
  };
}
