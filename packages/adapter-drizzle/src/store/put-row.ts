import { type SQL, sql } from "drizzle-orm";
import type { AnyTable, Database, Dialect, Insert, Row } from "../database.ts";
import { columnOf } from "../where.ts";

/** The existing row's version plus one. */
export function nextVersion(states: AnyTable): SQL {
  return sql`${columnOf(states, "version")} + 1`;
}

/** Inserts rows of the shared state, or updates those with the same keys. */
export function putRow(
  dialect: Dialect,
  db: Database,
  states: AnyTable,
  row: Row | readonly Row[],
  set: Row,
  setWhere?: SQL,
): Insert {
  const insert = db.insert(states).values(row);
  if (dialect === "mysql") return toInsert(insert.onDuplicateKeyUpdate({ set }));
  const target = columnOf(states, "key");
  return toInsert(insert.onConflictDoUpdate({ target, set, ...(setWhere === undefined ? {} : { setWhere }) }));
}

/** A text of the shared state. */
export interface Text {
  readonly key: string;
  readonly value: string;
  readonly expires: Date | null;
}

/** Sets texts unconditionally, in one statement. */
export function putTexts(dialect: Dialect, db: Database, states: AnyTable, texts: readonly Text[]): Insert {
  const rows = texts.map(({ key, value, expires }) => ({ key, value, expires, version: 0 }));
  const written = (name: string): SQL => {
    const column = sql.identifier(columnOf(states, name).name);
    return dialect === "mysql" ? sql`values(${column})` : sql`excluded.${column}`;
  };
  const set = { value: written("value"), expires: written("expires"), version: nextVersion(states) };
  return putRow(dialect, db, states, rows, set);
}

/** A cast: the query can still return its rows. */
function toInsert(write: object): Insert {
  return write as Insert;
}
