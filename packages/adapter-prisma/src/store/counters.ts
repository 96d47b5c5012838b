import type { StoreCount } from "@cardea/core/adapters";
import type { Model, StateRow } from "../models-of.ts";
import { ifThere } from "../write-rows.ts";
import { isOver, unchanged } from "./state-rows.ts";

const MAX = Number.MAX_SAFE_INTEGER;

/** The operations of the table that counters need. */
export interface CounterRows {
  readonly states: Model<StateRow>;
  readonly find: (key: string) => Promise<StateRow | null>;
  /** Creates a row; false if it already exists. */
  readonly create: (row: StateRow) => Promise<boolean>;
}

/**
 * Adds to the counter of a row.
 *
 * 1. An existing counter is changed in one database operation.
 * 2. Otherwise one is created: as a new row, in place of an expired one, or from a text that is a number. If another
 *    caller was first, start over.
 */
export async function addToCounter(
  rows: CounterRows,
  key: string,
  by: number,
  expires: Date | null,
): Promise<StoreCount> {
  if (!Number.isSafeInteger(by)) throw new RangeError(`Counters must be safe integers; cannot add ${by}.`);
  const alive = { OR: [{ expires: null }, { expires: { gt: new Date() } }] };
  const version = by < 0 ? { gte: -MAX - by } : { lte: MAX - by };
  for (let tries = 0; tries < 20; tries++) {
    const data = { version: { increment: by } };
    const changed = await ifThere(rows.states.update({ where: { key, value: null, version, ...alive }, data }));
    if (changed !== null) return toCount(changed);
    const made = await make(rows, key, by, expires);
    if (made !== null) return toCount(made);
  }
  throw new Error(`The counter ${key} could not be written: too many concurrent changes.`);
}

/** Creates the counter with its first value; null if another caller was first. */
async function make({ states, find, create }: CounterRows, key: string, by: number, expires: Date | null) {
  const row = await find(key);
  const first: StateRow = { key, value: null, version: BigInt(by), expires };
  if (row === null) return (await create(first)) ? first : null;
  const over = isOver(row);
  const version = over ? by : requireNumber(row) + by;
  if (!Number.isSafeInteger(version)) throw new RangeError(`Counters must be safe integers, not ${version}.`);
  if (!over && row.value === null) return null;
  const data = { value: null, version: BigInt(version), ...(over ? { expires } : {}) };
  const { count } = await states.updateMany({ where: unchanged(row), data });
  return count === 1 ? { ...row, ...data } : null;
}

function requireNumber({ key, value, version }: StateRow): number {
  if (value === null) return Number(version);
  if (/^-?\d{1,16}$/.test(value)) return Number(value);
  throw new TypeError(`The value of the key ${key} is not an integer, so nothing can be added to it.`);
}

function toCount({ version, expires }: StateRow): StoreCount {
  const ttl = expires === null ? null : Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000));
  return { value: Number(version), ttl };
}
