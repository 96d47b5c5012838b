import type { Store } from "@cardea/core/adapters";
import type { Model, StateLogRow, StateRow } from "../models-of.ts";
import type { PrismaClientLike } from "../prisma-client.ts";
import { ifFree } from "../write-rows.ts";
import { addToCounter } from "./counters.ts";
import { prismaLog } from "./prisma-log.ts";
import { endOf, firstVersion, isOver, purgeStates, putText, textOf, unchanged } from "./state-rows.ts";
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
export function prismaStore(client: PrismaClientLike, states: Model<StateRow>, entries: Model<StateLogRow>): Store {
  let written = 0;
  /** The result of a write, after some of which expired rows are deleted. A failed cleanup is repeated by the next one. */
  const afterWrite = async <T>(result: T): Promise<T> => {
    if (++written % WRITES_UNTIL_PURGE === 0) await purgeStates(states).catch(() => undefined);
    return result;
  };
  const find = async (key: string): Promise<StateRow | null> => states.findUnique({ where: { key } });
  const create = async (data: StateRow): Promise<boolean> =>
    afterWrite((await ifFree(states.create({ data }))) !== null);
  const replace = async (row: StateRow, value: string, expires: Date | null): Promise<boolean> => {
    const data = { value, expires, version: row.value === null ? firstVersion() : { increment: 1 } };
    return (await states.updateMany({ where: unchanged(row), data })).count === 1;
  };

  return {
    async get(name) {
      const row = await find(await storedKey(name));
      return row === null || isOver(row) ? null : textOf(row);
    },
    async set(name, value, { ttl, ifAbsent }) {
      const [key, expires] = [await storedKey(name), endOf(ttl)];
      if (ifAbsent !== true) {
        await putText(states, key, value, expires);
        return afterWrite(true);
      }
      const row = await find(key);
      if (row === null) return create({ key, value, expires, version: firstVersion() });
      return isOver(row) && replace(row, value, expires);
    },
    async add(name, by, { ttl }) {
      const key = await storedKey(name);
      const expires = endOf(ttl);
      return addToCounter({ states, find, create }, key, by, expires);
    },
    async swap(name, expected, next, { ttl }) {
      const [key, expires] = [await storedKey(name), endOf(ttl)];
      const row = await find(key);
      const text = row === null || isOver(row) ? null : textOf(row);
      if (text !== expected) return false;
      if (row === null) return next === null || create({ key, value: next, expires, version: firstVersion() });
      if (next !== null) return replace(row, next, expires);
      return text === null || (await states.deleteMany({ where: unchanged(row) })).count === 1;
    },
    log: prismaLog(client, states, entries),
  };
}
