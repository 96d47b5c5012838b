import { type Database, KyselyAdapter, KyselyAuth } from "@auth/kysely-adapter";
import type { Adapter } from "@cardea/core/adapters";
import { SqliteDialect } from "kysely";
import Sqlite from "libsql";
import { sqliteTables } from "./sqlite-tables.ts";

/** `@auth/kysely-adapter` as it comes from npm, on SQLite in memory. */
export async function openKyselyAdapter(): Promise<{ readonly adapter: Adapter; close(): Promise<void> }> {
  const database = new Sqlite(":memory:");
  database.exec(`PRAGMA foreign_keys = ON; ${sqliteTables({ table: (name) => name, time: "TEXT" })}`);
  const kysely = new KyselyAuth<Database>({ dialect: new SqliteDialect({ database }) });
  return { adapter: KyselyAdapter(kysely), close: () => kysely.destroy() };
}
