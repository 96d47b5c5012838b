import type { Store } from "@cardea/core/adapters";
import { and, inArray, lt, type SQL } from "drizzle-orm";
import type { AnyTable, OpenDatabase } from "../database.ts";
import { isDuplicate, run } from "../query-error.ts";
import { requireRows } from "../results.ts";
import { rowsOf } from "../rows.ts";
import { columnOf } from "../where.ts";
import { addToCounter } from "./counters.ts";
import { drizzleLog } from "./drizzle-log.ts";
import { nextVersion, putRow, putTexts } from "./put-row.ts";
import { endOf, isOver, type StateConditions, type StateRow, stateConditions, textOf, toState } from "./state-rows.ts";
import type { StateTable } from "./state-table.ts";
import { storedKey } from "./stored-key.ts";

/** How long a row is kept after it expires, to allow for different server clocks. */
const GRACE_MS = 60 * 60 * 1000;

/** After this many writes, expired rows are deleted: more than could have been created since. */
const WRITES_UNTIL_PURGE = 200;

/** The most rows that one statement deletes, so that it holds locks briefly; D1 binds at most 100 values. */
const ROWS_PER_PURGE = 98;

/** How many such statements follow each other. */
const PURGES = 5;

/**
 * The store in the tables `state` and `stateLog`. Expiry is determined by the clocks of the writing and reading
 * processes.
 *
 * A row is a text or a counter. For a counter, `value` is null and the number is `version`, which the database changes
 * atomically.
 */
export function drizzleStore(database: OpenDatabase, states: AnyTable, entries: AnyTable): Store {
  const rows = rowsOf(database, states);
  const where = stateConditions(database, states);
  const purge = createPurge(database, states);
  const insertIfFree = async (row: StateRow): Promise<boolean> => {
    await purge();
    return insertRow(database, states, where, row);
  };
  const table: StateTable = { database, states, rows, where, insertIfFree };
  return {
    async get(name) {
      const found = await rows.find(where.has(await storedKey(name)));
      const row = found && toState(found);
      return row === null || isOver(row) ? null : textOf(row);
    },
    async set(name, value, { ttl, ifAbsent }) {
      const [key, expires] = [await storedKey(name), endOf(ttl)];
      if (ifAbsent === true) return insertIfFree({ key, value, expires, version: 0 });
      await purge();
      await run(database, () => putTexts(database.dialect, database.db, states, [{ key, value, expires }]));
      return true;
    },
    async add(name, by, { ttl }) {
      const [key, expires] = [await storedKey(name), endOf(ttl)];
      return addToCounter(table, key, by, expires);
    },
    async swap(name, expected, next, { ttl }) {
      const [key, expires] = [await storedKey(name), endOf(ttl)];
      return swap(table, key, expected, next, expires);
    },
    log: drizzleLog(database, states, entries),
  };
}

async function swap(
  { states, rows, where, insertIfFree }: StateTable,
  key: string,
  expected: string | null,
  next: string | null,
  expires: Date | null,
): Promise<boolean> {
  if (expected === null) {
    if (next !== null) return insertIfFree({ key, value: next, expires, version: 0 });
    return (await rows.find(all(where.has(key), where.isAlive()))) === null;
  }
  const asExpected = all(where.has(key), where.isAlive(), where.reads(expected));
  if (next === null) return (await rows.remove(asExpected)) === 1;
  return (await rows.change({ value: next, expires, version: nextVersion(states) }, asExpected)) === 1;
}

/** Combines conditions with AND. */
function all(first: SQL, ...others: readonly SQL[]): SQL {
  return and(first, ...others) ?? first;
}

/** One statement. MySQL cannot replace only expired rows on insert, so an expired row is deleted first. */
async function insertRow(
  database: OpenDatabase,
  states: AnyTable,
  where: StateConditions,
  row: StateRow,
): Promise<boolean> {
  const { db, dialect } = database;
  if (dialect !== "mysql") {
    const { key: _key, ...set } = row;
    const write = putRow(dialect, db, states, { ...row }, set, where.isDead());
    return (await run(database, async () => requireRows(await write.returning()))).length === 1;
  }
  await run(database, () => db.delete(states).where(all(where.has(row.key), where.isDead())));
  try {
    await run(database, () => db.insert(states).values({ ...row }));
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Periodically deletes some of the rows that expired long ago, the oldest first. A failed cleanup is repeated by the next one. */
function createPurge(database: OpenDatabase, states: AnyTable): () => Promise<void> {
  let made = 0;
  return async () => {
    if (++made % WRITES_UNTIL_PURGE !== 0) return;
    await purgeStates(database, states).catch(() => undefined);
  };
}

async function purgeStates(database: OpenDatabase, states: AnyTable): Promise<void> {
  const [key, expires] = [columnOf(states, "key"), columnOf(states, "expires")];
  const isOld = lt(expires, new Date(Date.now() - GRACE_MS));
  const find = () => database.db.select({ key }).from(states).where(isOld).orderBy(expires).limit(ROWS_PER_PURGE);
  for (let n = 0; n < PURGES; n++) {
    const keys = (await run(database, find)).map((row) => row.key);
    if (keys.length === 0) return;
    await run(database, () => database.db.delete(states).where(all(inArray(key, keys), isOld)));
  }
}
