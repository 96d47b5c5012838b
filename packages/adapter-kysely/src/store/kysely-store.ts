import type { Store } from "@cardea/core/adapters";
import { toStored } from "../columns.ts";
import type { Connection } from "../connection.ts";
import { addToCounter } from "./counters.ts";
import { kyselyLog } from "./kysely-log.ts";
import {
  createState,
  endOf,
  firstVersion,
  isOver,
  putText,
  type StateRow,
  statesOf,
  textOf,
  unchanged,
} from "./state-rows.ts";
import { storedKey } from "./stored-key.ts";

/** How long a row is kept after it expires, to allow for different server clocks. */
const GRACE_MS = 60 * 60 * 1000;

/** After this many new rows, expired rows are deleted. */
const ROWS_UNTIL_PURGE = 200;

/**
 * The store in the tables `State` and `StateLog`. Expiry is determined by the clocks of the writing and reading
 * processes.
 *
 * A row is a text or a counter. For a counter, `value` is null and the number is `version`, which the database changes
 * atomically.
 */
export function kyselyStore(connection: Connection): Store {
  const { db, kind, transactions } = connection;
  const states = statesOf(connection);
  let made = 0;
  const find = (key: string): Promise<StateRow | null> => states.find({ key });
  const create = async (row: StateRow): Promise<boolean> => {
    if (++made % ROWS_UNTIL_PURGE === 0) {
      const { end } = toStored({ end: new Date(Date.now() - GRACE_MS) }, { end: "time" }, kind);
      await db.deleteFrom("State").where("expires", "<", end).execute();
    }
    return createState(connection, row);
  };
  const replace = async (row: StateRow, value: string, expires: Date | null): Promise<boolean> => {
    const version = row.value === null ? firstVersion() : row.version + 1;
    return (await states.update({ key: row.key }, { value, expires, version }, unchanged(row, kind))) === 1;
  };

  return {
    async get(name) {
      const row = await find(await storedKey(name));
      return row === null || isOver(row) ? null : textOf(row);
    },
    async set(name, value, { ttl, ifAbsent }) {
      const [key, expires] = [await storedKey(name), endOf(ttl)];
      if (ifAbsent !== true) {
        await putText(connection, key, value, expires);
        return true;
      }
      const row = await find(key);
      if (row === null) return create({ key, value, expires, version: firstVersion() });
      return isOver(row) && replace(row, value, expires);
    },
    async add(name, by, { ttl }) {
      const key = await storedKey(name);
      return addToCounter(connection, key, by, endOf(ttl));
    },
    async swap(name, expected, next, { ttl }) {
      const [key, expires] = [await storedKey(name), endOf(ttl)];
      const row = await find(key);
      const text = row === null || isOver(row) ? null : textOf(row);
      if (text !== expected) return false;
      if (row === null) return next === null || create({ key, value: next, expires, version: firstVersion() });
      if (next !== null) return replace(row, next, expires);
      return text === null || (await states.remove({ key }, unchanged(row, kind))) === 1;
    },
    ...(transactions && { log: kyselyLog(connection) }),
  };
}
