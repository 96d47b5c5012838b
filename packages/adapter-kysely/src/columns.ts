import type { DatabaseKind } from "./connection.ts";

/** The type of a non-text column. */
type ColumnKind = "time" | "number" | "flag" | "json";

/** The non-text columns of a table, by name. */
export type Columns = Readonly<Record<string, ColumnKind>>;

/** A row or a part of one, by column. */
export type Values = Readonly<Record<string, unknown>>;

/** Converts members with a value to their stored form. */
export function toStored(values: object, columns: Columns, kind: DatabaseKind): Record<string, unknown> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, storedValue(value, columns[name], kind)]));
}

function storedValue(value: unknown, column: ColumnKind | undefined, kind: DatabaseKind): unknown {
  // Includes null, because some JSON columns require a value.
  if (column === "json") return value === null ? null : JSON.stringify(value);
  // SQLite has no date or boolean types.
  if (kind === "sqlite" && value instanceof Date) return value.toISOString();
  if (kind === "sqlite" && typeof value === "boolean") return value ? 1 : 0;
  return value;
}

/** Converts a row from its stored form. The application's own columns are unchanged. */
export function fromStored(row: Values, columns: Columns): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, readValue(name, value, columns[name])]));
}

function readValue(name: string, value: unknown, column: ColumnKind | undefined): unknown {
  if (value === null || value === undefined || column === undefined) return value ?? null;
  if (column === "json") return typeof value === "string" ? JSON.parse(value) : value;
  if (column === "flag") return Boolean(Number(value));
  // PostgreSQL returns `bigint` columns as text.
  if (column === "number") return requireReadable(Number(value), Number(value), name);
  const time = value instanceof Date ? value : new Date(typeof value === "number" ? value : parseText(String(value)));
  return requireReadable(time, time.getTime(), name);
}

/** A day, a time of day and its zone, as databases write them (ISO 8601, RFC 3339, SQL). */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)\d* ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Text without a zone is in UTC: `Date` would read it in the zone of the server. NaN for any other text. */
function parseText(text: string): number {
  const [, day = "", clock = "00:00", zone = "Z"] = ISO.exec(text) ?? [];
  return Date.parse(
    `${day}T${clock}${zone.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`)}`,
  );
}

function requireReadable<T>(value: T, number: number, name: string): T {
  if (!Number.isNaN(number)) return value;
  throw new TypeError(`The column ${name} contains a value that is neither a date nor a number.`);
}
