import { and, type Column, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { AnyTable, Dialect, Row } from "./database.ts";

/**
 * Returns `value`, which must be a string: Drizzle also accepts SQL fragments as values, and ignores a condition on
 * `undefined`.
 *
 * @throws TypeError otherwise.
 */
export function requireText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} must be a string, not ${value === null ? "null" : typeof value}.`);
}

/**
 * The column of a table.
 *
 * @throws TypeError if the table has no such column.
 */
export function columnOf(table: AnyTable, name: string): Column {
  const column = findColumn(table, name);
  if (column === undefined) throw new TypeError(`The table has no column \`${name}\`.`);
  return column;
}

/** Finds a column by its name in the Drizzle table. */
export function findColumn(table: AnyTable, name: string): Column | undefined {
  return getTableColumns(table)[name];
}

/** The members with a value and a column. */
export function onlyColumns(record: object, table: AnyTable): Row {
  const columns = getTableColumns(table);
  const kept = Object.entries(record).filter(([name, value]) => value !== undefined && Object.hasOwn(columns, name));
  return Object.fromEntries(kept);
}

/** The rows whose columns equal these texts exactly. */
export function whereText(dialect: Dialect, table: AnyTable, key: Readonly<Record<string, unknown>>): SQL {
  const conditions = Object.entries(key).map(([name, value]) =>
    isExactly(dialect, columnOf(table, name), requireText(value, name)),
  );
  return and(...conditions) ?? sql`false`;
}

/** Drizzle has no option for the character set of a column. A text of one byte for each character fits into a key of MySQL. */
export const ASCII = "character set ascii collate ascii_bin";
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * A column equals a text byte by byte. `=` depends on the collation of the column: with MySQL's default, SQLite's
 * `NOCASE` and PostgreSQL's `citext`, it also matches texts that differ in case, accents or trailing spaces. The first
 * condition uses the index, the second is exact.
 */
export function isExactly(dialect: Dialect, column: Column, text: string): SQL {
  if (!canHave(column, text)) return sql`false`;
  return and(eq(column, text), compareBytes(dialect, column, text)) ?? sql`false`;
}

/** PostgreSQL and MySQL reject a comparison with a text that is no UUID, or that has characters which the column cannot have. */
function canHave(column: Column, text: string): boolean {
  if (column.columnType === "PgUUID") return UUID.test(text);
  return !column.getSQLType().endsWith(ASCII) || !/[^\x20-\x7e]/.test(text);
}

function compareBytes(dialect: Dialect, column: Column, text: string): SQL {
  if (dialect === "mysql") return sql`cast(convert(${column} using utf8mb4) as binary) = cast(${text} as binary)`;
  if (dialect === "sqlite") return sql`cast(${column} as blob) = cast(${text} as blob)`;
  return sql`${column}::text collate "C" = ${text}::text`;
}
