import type { Seconds } from "@cardea/core/adapters";
import { sql } from "kysely";
import { toStored } from "../columns.ts";
import { type Connection, runStatement } from "../connection.ts";
import { isDuplicate } from "../query-error.ts";
import { type And, createTable, type Table } from "../table.ts";
import { columnsOf } from "../tables.ts";

/** A row of the shared state. */
export interface StateRow {
  readonly key: string;
  readonly value: string | null;
  readonly expires: Date | null;
  readonly version: number;
}

/** The table of the shared state. */
export type States = Table<StateRow>;

/** A thousand years, in seconds. A longer time is probably in the wrong unit. */
const LONGEST = 1000 * 366 * 24 * 60 * 60;

/** The table `State`. */
export function statesOf(connection: Connection): States {
  return createTable(connection, "State", columnsOf.State);
}

/** The expiry of a value written now. @throws RangeError unless the duration is positive. */
export function endOf(ttl: Seconds | null): Date | null {
  if (ttl === null) return null;
  if (typeof ttl === "number" && ttl > 0 && ttl <= LONGEST) return new Date(Date.now() + Math.ceil(ttl * 1000));
  throw new RangeError(`ttl must be a positive number of seconds or null, not ${String(ttl)}.`);
}

/** Whether a row has expired. */
export function isOver({ expires }: StateRow): boolean {
  return expires !== null && expires.getTime() <= Date.now();
}

/** The text of a row. For a counter, the value is its version. */
export function textOf({ value, version }: StateRow): string {
  return value ?? String(version);
}

/**
 * The condition that a row is unchanged since it was read. An expired row must still be expired: a counter that started again meanwhile
 * can have reached the same version.
 */
export function unchanged(state: StateRow, kind: Connection["kind"]): And {
  const { now } = toStored({ now: new Date() }, { now: "time" }, kind);
  return (row) =>
    row.and([
      row("version", "=", state.version),
      row("value", state.value === null ? "is" : "is not", null),
      ...(isOver(state) ? [row("expires", "<=", now)] : []),
    ]);
}

/** The initial version of a text. Random, so that a deleted and recreated row differs. */
export function firstVersion(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** Creates a row; false if it exists. Does not abort a transaction. */
export async function createState(connection: Connection, row: StateRow): Promise<boolean> {
  const { db, kind } = connection;
  const insert = db.insertInto("State").values(toStored(row, columnsOf.State, kind));
  if (kind !== "mysql") {
    const [result] = await runStatement(connection, () => insert.onConflict((on) => on.doNothing()).execute());
    return Number(result?.numInsertedOrUpdatedRows ?? 0) === 1;
  }
  try {
    await runStatement(connection, () => insert.execute());
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Sets texts unconditionally, in one statement. */
export async function putTexts(
  connection: Connection,
  texts: ReadonlyMap<string, string>,
  expires: Date | null,
): Promise<void> {
  const { db, kind } = connection;
  // In the order of their keys, so that concurrent statements lock them in the same order.
  const rows = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  if (rows.length === 0) return;
  const states = rows.map(([key, value]) => ({ key, value, expires, version: firstVersion() }));
  const insert = db.insertInto("State").values(states.map((row) => toStored(row, columnsOf.State, kind)));
  const written = (column: string) =>
    kind === "mysql" ? sql`values(${sql.ref(column)})` : sql`${sql.ref(`excluded.${column}`)}`;
  const changes = { value: written("value"), expires: written("expires") };
  await runStatement(connection, () =>
    kind === "mysql"
      ? insert.onDuplicateKeyUpdate((old) => ({ ...changes, version: old("version", "+", 1) })).execute()
      : insert
          .onConflict((on) =>
            on.column("key").doUpdateSet((old) => ({ ...changes, version: old("State.version", "+", 1) })),
          )
          .execute(),
  );
}

/** How long a row is kept after it expires, to allow for different server clocks. */
const GRACE_MS = 60 * 60 * 1000;

/** The most rows that one statement deletes, so that it holds locks briefly. */
const ROWS_PER_PURGE = 500;

/** Deletes some of the rows that expired long ago, the oldest first. */
export async function purgeStates({ db, kind }: Connection): Promise<void> {
  const { end } = toStored({ end: new Date(Date.now() - GRACE_MS) }, { end: "time" }, kind);
  const old = await db
    .selectFrom("State")
    .select("key")
    .where("expires", "<", end)
    .orderBy("expires")
    .limit(ROWS_PER_PURGE)
    .execute();
  if (old.length === 0) return;
  const keys = old.map(({ key }) => key);
  await db.deleteFrom("State").where("key", "in", keys).where("expires", "<", end).execute();
}
