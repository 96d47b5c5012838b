import type { StoreCount } from "@cardea/core/adapters";
import { and, gte, lte, sql } from "drizzle-orm";
import { columnOf } from "../where.ts";
import { isOver, type StateRow, toState } from "./state-rows.ts";
import type { StateTable } from "./state-table.ts";

const MAX = Number.MAX_SAFE_INTEGER;

/**
 * Adds to the counter of a row.
 *
 * 1. An existing counter is changed in one database operation.
 * 2. Otherwise one is created: as a new row, in place of an expired one, or from a text that is a number. If another
 *    caller was first, start over.
 */
export async function addToCounter(
  table: StateTable,
  key: string,
  by: number,
  expires: Date | null,
): Promise<StoreCount> {
  if (!Number.isSafeInteger(by)) throw new RangeError(`Counters must be safe integers; cannot add ${by}.`);
  const { states, rows, where } = table;
  const version = columnOf(states, "version");
  for (let tries = 0; tries < 20; tries++) {
    const inRange = by < 0 ? gte(version, -MAX - by) : lte(version, MAX - by);
    const when = and(where.isCounter(), where.isAlive(), inRange);
    const changes = { version: sql`${version} + ${by}` };
    const changed = await rows.update(changes, where.has(key), when);
    const counter = changed === null ? await makeCounter(table, key, by, expires) : toState(changed);
    if (counter !== null) return toCount(counter);
  }
  throw new Error(`The counter ${key} could not be written: too many concurrent changes.`);
}

/** Creates the counter with its first value; null if another caller was first. */
async function makeCounter(
  { rows, where, insertIfFree }: StateTable,
  key: string,
  by: number,
  expires: Date | null,
): Promise<StateRow | null> {
  const found = await rows.find(where.has(key));
  const row = found && toState(found);
  const first: StateRow = { key, value: null, version: by, expires };
  if (row === null || isOver(row)) return (await insertIfFree(first)) ? first : null;
  const version = requireNumber(row) + by;
  if (!Number.isSafeInteger(version)) throw new RangeError(`Counters must be safe integers, not ${version}.`);
  if (row.value === null) return null;
  const asRead = and(where.has(key), where.isAlive(), where.reads(row.value)) ?? where.has(key);
  const count = await rows.change({ value: null, version }, asRead);
  return count === 1 ? { ...row, value: null, version } : null;
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
