import type { Store } from "@cardea/core/adapters";
import type { Connection } from "../connection.ts";
import { addToCounter } from "./counters.ts";
import { kyselyLog } from "./kysely-log.ts";
import {
  createState,
  endOf,
  firstVersion,
  isOver,
  purgeStates,
  putTexts,
  type StateRow,
  statesOf,
  textOf,
  unchanged,
} from "./state-rows.ts";
import { storedKey } from "./stored-key.ts";

/** After this many writes, expired rows are deleted: more than could have been created since. */
const WRITES_UNTIL_PURGE = 200;

/**
 * The store in the tables `State` and `StateLog`. Expiry is determined by the clocks of the writing and reading
 * processes.
 *
 * A row is a text or a counter. For a counter, `value` is null and the number is `version`, which the database changes
 * atomically.
 */
export function kyselyStore(connection: Connection): Store {
  const { kind, transactions } = connection;
  const states = statesOf(connection);
  let written = 0;
  /** The result of a write, after some of which expired rows are deleted. A failed cleanup is repeated by the next one. */
  const afterWrite = async <T>(result: T): Promise<T> => {
    if (++written % WRITES_UNTIL_PURGE === 0) await purgeStates(connection).catch(() => undefined);
    return result;
  };
  const find = (key: string): Promise<StateRow | null> => states.find({ key });
  const create = async (row: StateRow): Promise<boolean> => afterWrite(await createState(connection, row));
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
        await putTexts(connection, new Map([[key, value]]), expires);
        return afterWrite(true);
      }
      const row = await find(key);
      if (row === null) return create({ key, value, expires, version: firstVersion() });
      return isOver(row) && replace(row, value, expires);
    },
    async add(name, by, { ttl }) {
      const key = await storedKey(name);
      return afterWrite(await addToCounter(connection, key, by, endOf(ttl)));
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
