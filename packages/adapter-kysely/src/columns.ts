import type { DatabaseKind } from "./connection.ts";

/** What a column holds, where that is no text. */
type ColumnKind = "time" | "number" | "flag" | "json";

/** The columns of a table that hold no text, by name. */
export type Columns = Readonly<Record<string, ColumnKind>>;

/** A row or a part of one, by column. */
export type Values = Readonly<Record<string, unknown>>;

/** The members that have a value, as the database stores them. */
export function toStored(values: object, columns: Columns, kind: DatabaseKind): Record<string, unknown> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, storedValue(value, columns[name], kind)]));
}

function storedValue(value: unknown, column: ColumnKind | undefined, kind: DatabaseKind): unknown {
  // Also what is null: the columns of JSON that need a value have one.
  if (column === "json") return value === null ? null : JSON.stringify(value);
  // SQLite has neither times nor truth values.
  if (kind === "sqlite" && value instanceof Date) return value.toISOString();
  if (kind === "sqlite" && typeof value === "boolean") return value ? 1 : 0;
  return value;
}

/** A row as the methods give it away. Columns of the application are as the driver gives them. */
export function fromStored(row: Values, columns: Columns): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, readValue(name, value, columns[name])]));
}

function readValue(name: string, value: unknown, column: ColumnKind | undefined): unknown {
  if (value === null || value === undefined || column === undefined) return value ?? null;
  if (column === "json") return typeof value === "string" ? JSON.parse(value) : value;
  if (column === "flag") return Boolean(Number(value));
  // `bigint` columns come as text from PostgreSQL.
  if (column === "number") return requireReadable(Number(value), Number(value), name);
  const time = value instanceof Date ? value : new Date(typeof value === "number" ? value : String(value));
  return requireReadable(time, time.getTime(), name);
}

function requireReadable<T>(value: T, number: number, name: string): T {
  if (!Number.isNaN(number)) return value;
  throw new TypeError(`The column ${name} holds a value that is neither a time nor a number.`);
}
