import type { AnyTable, OpenDatabase } from "../database.ts";
import type { Rows } from "../rows.ts";
import type { StateConditions, StateRow } from "./state-rows.ts";

/** The operations of the table that the store needs. */
export interface StateTable {
  readonly database: OpenDatabase;
  readonly states: AnyTable;
  readonly rows: Rows;
  readonly where: StateConditions;
  /** Inserts a row, replacing an expired one; false if the key is taken. */
  insertIfFree(row: StateRow): Promise<boolean>;
}
