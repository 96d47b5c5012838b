import { type SQL, sql } from "drizzle-orm";
import type { AnyTable, Database, Dialect, Insert, Row } from "../database.ts";
import { columnOf } from "../where.ts";

/** One more than the version of the row that is there. */
export function nextVersion(states: AnyTable): SQL {
  return sql`${columnOf(states, "version")} + 1`;
}

/** Inserts a row of the shared state; where there is one with its key, that one is changed. */
export function putRow(dialect: Dialect, db: Database, states: AnyTable, row: Row, set: Row, setWhere?: SQL): Insert {
  const insert = db.insert(states).values(row);
  if (dialect === "mysql") return toInsert(insert.onDuplicateKeyUpdate({ set }));
  const target = columnOf(states, "key");
  return toInsert(insert.onConflictDoUpdate({ target, set, ...(setWhere === undefined ? {} : { setWhere }) }));
}

/** Sets a text, whatever was there. */
export function putText(
  dialect: Dialect,
  db: Database,
  states: AnyTable,
  { key, value, expires }: { readonly key: string; readonly value: string; readonly expires: Date | null },
): Insert {
  const row = { key, value, expires, version: 0 };
  return putRow(dialect, db, states, row, { value, expires, version: nextVersion(states) });
}

/** A cast: what remains can still be asked for its rows. */
function toInsert(write: object): Insert {
  return write as Insert;
}
