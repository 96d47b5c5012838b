import type { Seconds } from "@cardea/core/adapters";
import type { Model, StateRow } from "../models-of.ts";
import { ifFree } from "../write-rows.ts";

/** A thousand years, in seconds: beyond it a time is a mistake of unit. */
const LONGEST = 1000 * 366 * 24 * 60 * 60;

/** When something that begins now ends. @throws RangeError for what is no length of time above 0. */
export function endOf(ttl: Seconds | null): Date | null {
  if (ttl === null) return null;
  if (typeof ttl === "number" && ttl > 0 && ttl <= LONGEST) return new Date(Date.now() + Math.ceil(ttl * 1000));
  throw new RangeError(`ttl must be a number of seconds above 0, or null; not ${String(ttl)}.`);
}

/** Whether the time of a row is over. */
export function isOver({ expires }: StateRow): boolean {
  return expires !== null && expires.getTime() <= Date.now();
}

/** The text of a row: a counter has none, its number is its version. */
export function textOf({ value, version }: StateRow): string {
  return value ?? String(version);
}

/** The condition of a write that must find the row as it was read. */
export function unchanged({ key, value, version }: StateRow): object {
  return { key, version, value: value === null ? null : { not: null } };
}

/** Where the versions of a text begin: at random, so that a row which was deleted and made again is another one. */
export function firstVersion(): bigint {
  return BigInt(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
}

/** Sets a text, whatever was there. */
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
  throw new Error(`The row ${key} of the store was made and deleted again and again.`);
}
