import type { StoreCount } from "@cardea/core/adapters";
import { fromStored, toStored } from "../columns.ts";
import { type Connection, inTransaction, runStatement } from "../connection.ts";
import { type Builder, matches } from "../table.ts";
import { columnsOf } from "../tables.ts";
import { createState, isOver, type StateRow, type States, statesOf, unchanged } from "./state-rows.ts";

const MAX = Number.MAX_SAFE_INTEGER;

/**
 * Adds to the counter of a row.
 *
 * 1. An existing counter is changed in one database operation.
 * 2. Otherwise one is created: as a new row, in place of an expired one, or from a text that is a number. If another
 *    caller was first, start over.
 */
export async function addToCounter(
  connection: Connection,
  key: string,
  by: number,
  expires: Date | null,
): Promise<StoreCount> {
  if (!Number.isSafeInteger(by)) throw new RangeError(`Counters must be safe integers; cannot add ${by}.`);
  for (let tries = 0; tries < 20; tries++) {
    const row = (await increment(connection, key, by)) ?? (await make(connection, key, by, expires));
    if (row !== null) return toCount(row);
  }
  throw new Error(`The counter ${key} could not be written: too many concurrent changes.`);
}

/** Changes the counter; null if there is none, or it has expired. */
async function increment(connection: Connection, key: string, by: number): Promise<StateRow | null> {
  const { db, kind } = connection;
  const { now } = toStored({ now: new Date() }, { now: "time" }, kind);
  const isLiving = (row: Builder) =>
    row.and([
      matches(connection, { key }, row),
      row("value", "is", null),
      by < 0 ? row("version", ">=", -MAX - by) : row("version", "<=", MAX - by),
      row.or([row("expires", "is", null), row("expires", ">", now)]),
    ]);
  const statement = db
    .updateTable("State")
    .set((row) => ({ version: row("version", "+", by) }))
    .where(isLiving);
  if (kind !== "mysql") {
    const [row] = await runStatement(connection, () => statement.returningAll().execute());
    return row === undefined ? null : assumeState(fromStored(row, columnsOf.State));
  }
  // MySQL does not return updated rows, so the row is read while the update lock is held.
  return inTransaction(connection, async (transaction) => {
    const within = transaction.db.updateTable("State").set((row) => ({ version: row("version", "+", by) }));
    const [result] = await within.where(isLiving).execute();
    return Number(result?.numUpdatedRows ?? 0) === 0 ? null : statesOf(transaction).find({ key });
  });
}

/** Creates the counter with its first value; null if another caller was first. */
async function make(connection: Connection, key: string, by: number, expires: Date | null): Promise<StateRow | null> {
  const states: States = statesOf(connection);
  const row = await states.find({ key });
  const first: StateRow = { key, value: null, version: by, expires };
  if (row === null) return (await createState(connection, first)) ? first : null;
  const over = isOver(row);
  const version = over ? by : requireNumber(row) + by;
  if (!Number.isSafeInteger(version)) throw new RangeError(`Counters must be safe integers, not ${version}.`);
  if (!over && row.value === null) return null;
  const changes = { value: null, version, ...(over ? { expires } : {}) };
  return (await states.update({ key }, changes, unchanged(row, connection.kind))) === 1 ? { ...row, ...changes } : null;
}

function requireNumber({ key, value, version }: StateRow): number {
  if (value === null) return version;
  if (/^-?\d{1,16}$/.test(value)) return Number(value);
  throw new TypeError(`The value of the key ${key} is not an integer, so nothing can be added to it.`);
}

function toCount({ version, expires }: StateRow): StoreCount {
  const ttl = expires === null ? null : Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000));
  return { value: version, ttl };
}

/** A cast: `State` has these columns. */
function assumeState(row: object): StateRow {
  return row as StateRow;
}
