import type { AnyTable, OpenDatabase } from "../database.ts";
import type { Rows } from "../rows.ts";
import type { StateConditions, StateRow } from "./state-rows.ts";

/** What the calls of a store need of the table. */
export interface StateTable {
  readonly database: OpenDatabase;
  readonly states: AnyTable;
  readonly rows: Rows;
  readonly where: StateConditions;
  /** Inserts a row, in place of one whose time is over; false when there is another one. */
  insertIfFree(row: StateRow): Promise<boolean>;
}
