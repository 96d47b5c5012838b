import type { Seconds } from "@cardea/core/adapters";
import type { Model, StateRow } from "../models-of.ts";
import { ifFree } from "../write-rows.ts";

/** A thousand years, in seconds. A longer time is probably in the wrong unit. */
const LONGEST = 1000 * 366 * 24 * 60 * 60;

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
export function unchanged(row: StateRow): object {
  const { key, value, version } = row;
  return {
    key,
    version,
    value: value === null ? null : { not: null },
    ...(isOver(row) && { expires: { lte: new Date() } }),
  };
}

/** The initial version of a text. Random, so that a deleted and recreated row differs. */
export function firstVersion(): bigint {
  return BigInt(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
}

/** Sets texts, within a transaction: two statements, however many there are. A concurrent write of the same key aborts it. */
export async function putTexts(
  states: Model<StateRow>,
  texts: ReadonlyMap<string, string>,
  expires: Date,
): Promise<void> {
  const [one, ...others] = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  if (one === undefined) return;
  if (others.length === 0) return putText(states, ...one, expires);
  await states.deleteMany({ where: { key: { in: [...texts.keys()] } } });
  const data = [one, ...others].map(([key, value]) => ({ key, value, expires, version: firstVersion() }));
  await states.createMany({ data });
}

/** How long a row is kept after it expires, to allow for different server clocks. */
const GRACE_MS = 60 * 60 * 1000;

/** The most rows that one statement deletes, so that it holds locks briefly. */
const ROWS_PER_PURGE = 500;

/** Deletes some of the rows that expired long ago, the oldest first. */
export async function purgeStates(states: Model<StateRow>): Promise<void> {
  const isOld = { expires: { lt: new Date(Date.now() - GRACE_MS) } };
  const old = await states.findMany({ where: isOld, orderBy: { expires: "asc" }, take: ROWS_PER_PURGE });
  if (old.length > 0) await states.deleteMany({ where: { key: { in: old.map(({ key }) => key) }, ...isOld } });
}

/** Sets a text unconditionally. */
export async function putText(
  states: Model<StateRow>,
  key: string,
  value: string,
  expires: Date | null,
): Promise<void> {
  const data = { value, expires, version: { increment: 1 } };
  for (let tries = 0; tries < 5; tries++) {
    const { count } = await states.updateMany({ where: { key }, data });
    if (count > 0) return;
    if (await ifFree(states.create({ data: { key, value, expires, version: firstVersion() } }))) return;
  }
  throw new Error(`The row ${key} of the store could not be written: too many concurrent changes.`);
}
