import type { StoreCount } from "@cardea/core/adapters";
import type { Model, StateRow } from "../models-of.ts";
import { ifThere } from "../write-rows.ts";
import { isOver, unchanged } from "./state-rows.ts";

const MAX = Number.MAX_SAFE_INTEGER;

/** What counting needs of the table. */
export interface CounterRows {
  readonly states: Model<StateRow>;
  readonly find: (key: string) => Promise<StateRow | null>;
  /** False when the row is there already. */
  readonly create: (row: StateRow) => Promise<boolean>;
}

/**
 * Adds to the counter of a row.
 *
 * 1. A counter that is there is changed in one step of the database.
 * 2. Else one is made: as a new row, in place of one whose time is over, or out of a text that is a number. Who is not the first to
 *    make it begins again.
 */
export async function addToCounter(
  rows: CounterRows,
  key: string,
  by: number,
  expires: Date | null,
): Promise<StoreCount> {
  if (!Number.isSafeInteger(by)) throw new RangeError(`A counter is a safe integer; ${by} cannot be added to it.`);
  const alive = { OR: [{ expires: null }, { expires: { gt: new Date() } }] };
  const version = by < 0 ? { gte: -MAX - by } : { lte: MAX - by };
  for (let tries = 0; tries < 20; tries++) {
    const data = { version: { increment: by } };
    const changed = await ifThere(rows.states.update({ where: { key, value: null, version, ...alive }, data }));
    if (changed !== null) return toCount(changed);
    const made = await make(rows, key, by, expires);
    if (made !== null) return toCount(made);
  }
  throw new Error(`The counter ${key} was made and deleted again and again.`);
}

/** The counter with its first number; null when another caller was first. */
async function make({ states, find, create }: CounterRows, key: string, by: number, expires: Date | null) {
  const row = await find(key);
  const first: StateRow = { key, value: null, version: BigInt(by), expires };
  if (row === null) return (await create(first)) ? first : null;
  const over = isOver(row);
  const version = over ? by : requireNumber(row) + by;
  if (!Number.isSafeInteger(version)) throw new RangeError(`A counter is a safe integer; ${version} is not.`);
  if (!over && row.value === null) return null;
  const data = { value: null, version: BigInt(version), ...(over ? { expires } : {}) };
  const { count } = await states.updateMany({ where: unchanged(row), data });
  return count === 1 ? { ...row, ...data } : null;
}

function requireNumber({ key, value, version }: StateRow): number {
  if (value === null) return Number(version);
  if (/^-?\d{1,16}$/.test(value)) return Number(value);
  throw new TypeError(`The text of the key ${key} is no whole number, so that nothing can be added to it.`);
}

function toCount({ version, expires }: StateRow): StoreCount {
  const ttl = expires === null ? null : Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000));
  return { value: Number(version), ttl };
}
