import { and, type Column, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { AnyTable, Dialect, Row } from "./database.ts";

/**
 * `value`, which must be a string: what Drizzle is given as a value may also be a piece of SQL, and `undefined` would be a
 * condition on nothing.
 *
 * @throws TypeError if it is not a string.
 */
export function requireText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} must be a string, not ${value === null ? "null" : typeof value}.`);
}

/**
 * The column of a table.
 *
 * @throws TypeError if the table has none of this name.
 */
export function columnOf(table: AnyTable, name: string): Column {
  const column = findColumn(table, name);
  if (column === undefined) throw new TypeError(`The table has no column \`${name}\`.`);
  return column;
}

/** The column of a table, by the name that the table gives to it. */
export function findColumn(table: AnyTable, name: string): Column | undefined {
  return getTableColumns(table)[name];
}

/** The members that have a value and a column. */
export function onlyColumns(record: object, table: AnyTable): Row {
  const columns = getTableColumns(table);
  const kept = Object.entries(record).filter(([name, value]) => value !== undefined && Object.hasOwn(columns, name));
  return Object.fromEntries(kept);
}

/** The rows whose columns hold exactly these texts. */
export function whereText(dialect: Dialect, table: AnyTable, key: Readonly<Record<string, unknown>>): SQL {
  const conditions = Object.entries(key).map(([name, value]) =>
    isExactly(dialect, columnOf(table, name), requireText(value, name)),
  );
  return and(...conditions) ?? sql`false`;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * A column holds a text, byte by byte. What `=` finds depends on the collation of the column: with the usual one of MySQL, with
 * `NOCASE` of SQLite and with `citext` of PostgreSQL, it also finds texts that differ in case, in accents or in spaces at the end.
 * The first condition uses the index, the second one decides.
 */
export function isExactly(dialect: Dialect, column: Column, text: string): SQL {
  if (column.columnType === "PgUUID" && !UUID.test(text)) return sql`false`;
  return and(eq(column, text), compareBytes(dialect, column, text)) ?? sql`false`;
}

function compareBytes(dialect: Dialect, column: Column, text: string): SQL {
  if (dialect === "mysql") return sql`cast(convert(${column} using utf8mb4) as binary) = cast(${text} as binary)`;
  if (dialect === "sqlite") return sql`cast(${column} as blob) = cast(${text} as blob)`;
  return sql`${column}::text collate "C" = ${text}::text`;
}
