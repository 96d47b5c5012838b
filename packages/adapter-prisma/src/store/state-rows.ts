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
