import type { StateRow as State, StateTable } from "@cardea/core/adapters";
import type { Model, StateRow } from "../models-of.ts";
import { ifFree, ifThere } from "../write-rows.ts";

/** The model of the shared state. */
export function stateTable(states: Model<StateRow>): StateTable {
  const find = async (key: string): Promise<State | null> => {
    const row = await states.findUnique({ where: { key } });
    return row && toState(row);
  };
  return {
    find,
    // Looked up first, because a key that is taken would abort a transaction of PostgreSQL.
    create: async (row) =>
      (await find(row.key)) === null && (await ifFree(states.create({ data: toData(row) }))) !== null,
    put: (row) => putText(states, row),
    async replace({ key, version, isText, expiredAt }, next) {
      const value = isText ? { not: null } : null;
      const where = { key, version: BigInt(version), value, ...(expiredAt && { expires: { lte: expiredAt } }) };
      const write = next === null ? states.deleteMany({ where }) : states.updateMany({ where, data: toData(next) });
      return (await write).count === 1;
    },
    async increment(key, by, { now, least, most }) {
      const OR = [{ expires: null }, { expires: { gt: now } }];
      const where = { key, value: null, version: { gte: BigInt(least), lte: BigInt(most) }, OR };
      const row = await ifThere(states.update({ where, data: { version: { increment: BigInt(by) } } }));
      return row && toState(row);
    },
    async purge(before, limit) {
      const isOld = { expires: { lt: before } };
      const old = await states.findMany({ where: isOld, orderBy: { expires: "asc" }, take: limit });
      if (old.length > 0) await states.deleteMany({ where: { key: { in: old.map(({ key }) => key) }, ...isOld } });
      return old.length;
    },
  };
}

function toState(row: StateRow): State {
  return { ...row, version: Number(row.version) };
}

/** A row as the client takes it. */
export function toData<Row extends { readonly version: number }>(row: Row) {
  return { ...row, version: BigInt(row.version) };
}

/** Sets texts, within a transaction: two statements, however many there are. A concurrent write of the same key aborts it. */
export async function putTexts(states: Model<StateRow>, rows: readonly State[]): Promise<void> {
  const [one, ...others] = rows;
  if (one === undefined) return;
  if (others.length === 0) return putText(states, one);
  await states.deleteMany({ where: { key: { in: rows.map(({ key }) => key) } } });
  await states.createMany({ data: rows.map(toData) });
}

/** Sets a text unconditionally. */
async function putText(states: Model<StateRow>, row: State): Promise<void> {
  const { key, value, expires } = row;
  const data = { value, expires, version: { increment: 1 } };
  for (let tries = 0; tries < 5; tries++) {
    const { count } = await states.updateMany({ where: { key }, data });
    if (count > 0) return;
    if (await ifFree(states.create({ data: toData(row) }))) return;
  }
  throw new Error(`The row ${key} of the store could not be written: too many concurrent changes.`);
}
