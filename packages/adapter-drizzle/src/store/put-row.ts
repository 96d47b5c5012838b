import { type SQL, sql } from "drizzle-orm";
import type { AnyTable, Database, Dialect, Insert, Row } from "../database.ts";
import { columnOf } from "../where.ts";

/** The existing row's version plus one. */
export function nextVersion(states: AnyTable): SQL {
  return sql`${columnOf(states, "version")} + 1`;
}

/** Inserts a row of the shared state, or updates the row with the same key. */
export function putRow(dialect: Dialect, db: Database, states: AnyTable, row: Row, set: Row, setWhere?: SQL): Insert {
  const insert = db.insert(states).values(row);
  if (dialect === "mysql") return toInsert(insert.onDuplicateKeyUpdate({ set }));
  const target = columnOf(states, "key");
  return toInsert(insert.onConflictDoUpdate({ target, set, ...(setWhere === undefined ? {} : { setWhere }) }));
}

/** Sets a text unconditionally. */
export function putText(
  dialect: Dialect,
  db: Database,
  states: AnyTable,
  { key, value, expires }: { readonly key: string; readonly value: string; readonly expires: Date | null },
): Insert {
  const row = { key, value, expires, version: 0 };
  return putRow(dialect, db, states, row, { value, expires, version: nextVersion(states) });
}

/** A cast: the query can still return its rows. */
function toInsert(write: object): Insert {
  return write as Insert;
}
