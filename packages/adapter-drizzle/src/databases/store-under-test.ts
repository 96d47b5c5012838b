import type { Adapter, Store } from "@cardea/core/adapters";
import { getTableColumns, sql } from "drizzle-orm";
import { holdTransaction } from "../../../testing/src/served-databases.ts";
import { type AnyTable, openDatabase, type Row } from "../database.ts";
import { resolveTables } from "../tables/resolve-tables.ts";
import { adapterOf, type TestDatabase } from "./test-database.ts";

/** The store of an adapter. Throws if it has none. */
function storeOf({ store }: Adapter): Store {
  if (store === undefined) throw new Error("The adapter has no store.");
  return store;
}

/** The store of a database, and what a test does to its tables. */
export function storeUnderTest({ db, other, adapter }: TestDatabase<object>, tables: object) {
  const opened = openDatabase(db);
  const { statesTable, stateLogsTable } = resolveTables(opened.dialect, tables);
  const both = [statesTable, stateLogsTable].flatMap((table) => table ?? []);
  const all = async (table: AnyTable): Promise<readonly Row[]> => opened.db.select().from(table);
  const clear = async (table: AnyTable) => void (await opened.db.delete(table));
  const replaceRows = async (table: AnyTable, rows: readonly Row[]): Promise<void> => {
    await clear(table);
    for (const row of rows) await opened.db.insert(table).values(row);
  };
  return {
    store: storeOf(adapter),
    other: storeOf(adapterOf(other as never, tables)),
    async advance(seconds: number) {
      for (const table of both) {
        const { expires } = getTableColumns(table);
        const now = openNow(opened.dialect, seconds);
        await opened.db.update(table).set({ expires: sql`${expires} - ${now}` });
      }
    },
    async lose() {
      for (const table of both) await clear(table);
    },
    async checkpoint() {
      const copies: (readonly Row[])[] = [];
      for (const table of both) copies.push(await all(table));
      return async () => {
        for (const [n, table] of both.entries()) await replaceRows(table, copies[n] ?? []);
      };
    },
    hold: (work: (store: Store) => Promise<unknown>) =>
      holdTransaction<object>(
        (body) => opened.db.transaction(body),
        (transaction) => work(storeOf(adapterOf(transaction as never, tables))),
      ),
  };
}

function openNow(dialect: "pg" | "mysql" | "sqlite", seconds: number) {
  if (dialect === "pg") return sql.raw(`interval '${seconds} seconds'`);
  return dialect === "mysql" ? sql.raw(`interval ${seconds} second`) : sql.raw(`${seconds * 1000}`);
}
