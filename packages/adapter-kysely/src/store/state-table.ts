import type { StateRow, StateTable, UnchangedState } from "@cardea/core/adapters";
import { sql } from "kysely";
import { toStored } from "../columns.ts";
import { type Connection, inTransaction, runStatement } from "../connection.ts";
import { isDuplicate } from "../query-error.ts";
import { type And, type Builder, createTable } from "../table.ts";
import { columnsOf } from "../tables.ts";

/** The table `State`. */
export function stateTable(connection: Connection): StateTable {
  const { db, kind } = connection;
  const states = createTable<StateRow>(connection, "State", columnsOf.State);
  return {
    find: (key) => states.find({ key }),
    create: (row) => createState(connection, row),
    put: (row) => putStates(connection, [row]),
    async replace({ key, ...read }, next) {
      const isUnchanged = unchanged(read, kind);
      const count = await (next === null
        ? states.remove({ key }, isUnchanged)
        : states.update({ key }, next, isUnchanged));
      return count === 1;
    },
    async increment(key, by, { now, least, most }) {
      const time = storedTime(now, kind);
      const isLiving = (row: Builder) =>
        row.and([
          row("value", "is", null),
          row("version", ">=", least),
          row("version", "<=", most),
          row.or([row("expires", "is", null), row("expires", ">", time)]),
        ]);
      const next = (row: Builder) => ({ version: row("version", "+", by) });
      if (kind !== "mysql") return states.updateAndRead({ key }, next, isLiving);
      // MySQL does not return updated rows, so the row is read while the update lock is held.
      return inTransaction(connection, (transaction) =>
        createTable<StateRow>(transaction, "State", columnsOf.State).updateAndRead({ key }, next, isLiving),
      );
    },
    async purge(before, limit) {
      const end = storedTime(before, kind);
      const old = db.selectFrom("State").select("key").where("expires", "<", end).orderBy("expires").limit(limit);
      const keys = (await old.execute()).map(({ key }) => key);
      if (keys.length > 0) await db.deleteFrom("State").where("key", "in", keys).where("expires", "<", end).execute();
      return keys.length;
    },
  };
}

/** A time as the database keeps it. */
export function storedTime(time: Date, kind: Connection["kind"]): unknown {
  return toStored({ time }, { time: "time" }, kind).time;
}

function unchanged({ version, isText, expiredAt }: Omit<UnchangedState, "key">, kind: Connection["kind"]): And {
  return (row) =>
    row.and([
      row("version", "=", version),
      row("value", isText ? "is not" : "is", null),
      ...(expiredAt === null ? [] : [row("expires", "<=", storedTime(expiredAt, kind))]),
    ]);
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
export async function putStates(connection: Connection, states: readonly StateRow[]): Promise<void> {
  const { db, kind } = connection;
  if (states.length === 0) return;
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
