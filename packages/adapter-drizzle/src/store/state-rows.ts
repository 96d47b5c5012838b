import type { Seconds } from "@cardea/core/adapters";
import { eq, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { AnyTable, OpenDatabase, Row } from "../database.ts";
import { columnOf, isExactly, whereText } from "../where.ts";

/** A row of the shared state. Its `version` is the number of a counter, or of the last entry of a log. */
export interface StateRow {
  readonly key: string;
  readonly value: string | null;
  readonly expires: Date | null;
  readonly version: number;
}

/** A row as the columns describe it. */
export function toState(row: Row): StateRow {
  return { ...(row as unknown as StateRow), version: Number(row.version) };
}

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

/** Conditions on the rows of the shared state. */
export interface StateConditions {
  /** The row of a key. */
  has(key: string): SQL;
  /** Its time is not over. */
  isAlive(): SQL;
  /** Its time is over. */
  isDead(): SQL;
  /** Its text, or a counter's number, is exactly this. */
  reads(text: string): SQL;
  /** It is a counter. */
  isCounter(): SQL;
}

/** Conditions for the columns of a table. */
export function stateConditions({ dialect }: OpenDatabase, states: AnyTable): StateConditions {
  const [value, expires, version] = ["value", "expires", "version"].map((name) => columnOf(states, name));
  if (value === undefined || expires === undefined || version === undefined) throw new TypeError("No such column.");
  return {
    has: (key) => whereText(dialect, states, { key }),
    isAlive: () => or(isNull(expires), gt(expires, new Date())) ?? sql`true`,
    isDead: () => lte(expires, new Date()),
    isCounter: () => isNull(value),
    reads(text) {
      const isText = isExactly(dialect, value, text);
      if (!/^(?:0|-?[1-9]\d{0,15})$/.test(text)) return isText;
      return or(isText, sql`(${isNull(value)} and ${eq(version, Number(text))})`) ?? isText;
    },
  };
}
