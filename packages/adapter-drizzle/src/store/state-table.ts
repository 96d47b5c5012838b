import type { StateRow, StateTable, UnchangedState } from "@cardea/core/adapters";
import { and, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { AnyTable, Database, Dialect, Insert, OpenDatabase, Row } from "../database.ts";
import { isDuplicate, run } from "../query-error.ts";
import { requireRows } from "../results.ts";
import { rowsOf } from "../rows.ts";
import { columnOf, whereText } from "../where.ts";

/** The table of the shared state. */
export function stateTable(database: OpenDatabase, states: AnyTable): StateTable {
  const { db, dialect } = database;
  const rows = rowsOf(database, states);
  const has = (key: string): SQL => whereText(dialect, states, { key });
  const value = columnOf(states, "value");
  const expires = columnOf(states, "expires");
  const version = columnOf(states, "version");
  return {
    async find(key) {
      const row = await rows.find(has(key));
      return row && toState(row);
    },
    create: (row) => insertIfFree(database, states, row),
    async put(row) {
      await run(database, () => putStates(dialect, db, states, [row]));
    },
    async replace({ key, ...read }, next) {
      const where = all(has(key), unchanged(states, read));
      return (next === null ? await rows.remove(where) : await rows.change(next, where)) === 1;
    },
    async increment(key, by, { now, least, most }) {
      const inRange = and(gte(version, least), lte(version, most));
      const isLiving = and(isNull(value), inRange, or(isNull(expires), gt(expires, now)));
      const row = await rows.update({ version: sql`${version} + ${by}` }, has(key), isLiving);
      return row && toState(row);
    },
    async purge(before, limit) {
      const key = columnOf(states, "key");
      const isOld = lt(expires, before);
      const find = () => db.select({ key }).from(states).where(isOld).orderBy(expires).limit(limit);
      const keys = (await run(database, find)).map((row) => row.key);
      if (keys.length > 0) await run(database, () => db.delete(states).where(all(inArray(key, keys), isOld)));
      return keys.length;
    },
  };
}

function unchanged(states: AnyTable, { version, isText, expiredAt }: Omit<UnchangedState, "key">): SQL | undefined {
  const value = columnOf(states, "value");
  return and(
    eq(columnOf(states, "version"), version),
    isText ? isNotNull(value) : isNull(value),
    expiredAt === null ? undefined : lte(columnOf(states, "expires"), expiredAt),
  );
}

/** Combines conditions with AND. */
function all(first: SQL, ...others: readonly (SQL | undefined)[]): SQL {
  return and(first, ...others) ?? first;
}

function toState(row: Row): StateRow {
  return { ...(row as unknown as StateRow), version: Number(row.version) };
}

async function insertIfFree(database: OpenDatabase, states: AnyTable, row: StateRow): Promise<boolean> {
  const insert = () => database.db.insert(states).values({ ...row });
  if (database.dialect !== "mysql") {
    const target = columnOf(states, "key");
    const write = async () => requireRows(await insert().onConflictDoNothing({ target }).returning());
    return (await run(database, write)).length === 1;
  }
  try {
    await run(database, insert);
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** The existing row's version plus one. */
export function nextVersion(states: AnyTable): SQL {
  return sql`${columnOf(states, "version")} + 1`;
}

/** Inserts rows of the shared state, or updates those with the same keys. */
export function putRows(dialect: Dialect, db: Database, states: AnyTable, rows: readonly StateRow[], set: Row): Insert {
  const insert = db.insert(states).values(rows.map((row) => ({ ...row })));
  if (dialect === "mysql") return insert.onDuplicateKeyUpdate({ set });
  return insert.onConflictDoUpdate({ target: columnOf(states, "key"), set });
}

/** Sets texts unconditionally, in one statement. */
export function putStates(dialect: Dialect, db: Database, states: AnyTable, rows: readonly StateRow[]): Insert {
  const written = (name: string): SQL => {
    const column = sql.identifier(columnOf(states, name).name);
    return dialect === "mysql" ? sql`values(${column})` : sql`excluded.${column}`;
  };
  const set = { value: written("value"), expires: written("expires"), version: nextVersion(states) };
  return putRows(dialect, db, states, rows, set);
}
