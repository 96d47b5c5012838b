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

/** Converts a database row. */
export function toState(row: Row): StateRow {
  return { ...(row as unknown as StateRow), version: Number(row.version) };
}

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

/** Conditions on the rows of the shared state. */
export interface StateConditions {
  /** The row of a key. */
  has(key: string): SQL;
  /** It has not expired. */
  isAlive(): SQL;
  /** It has expired. */
  isDead(): SQL;
  /** Its text, or counter value, equals this exactly. */
  reads(text: string): SQL;
  /** It is a counter. */
  isCounter(): SQL;
}

/** Conditions for the columns of a table. */
export function stateConditions({ dialect }: OpenDatabase, states: AnyTable): StateConditions {
  const [value, expires, version] = ["value", "expires", "version"].map((name) => columnOf(states, name));
  if (value === undefined || expires === undefined || version === undefined) throw new TypeError("Unknown column.");
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
