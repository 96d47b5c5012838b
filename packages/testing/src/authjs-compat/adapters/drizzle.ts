import { DrizzleAdapter } from "@auth/drizzle-adapter";
import type { Adapter } from "@cardea/core/adapters";
import { createClient } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import { sqliteTables } from "./sqlite-tables.ts";

/** `@auth/drizzle-adapter` as it comes from npm, on SQLite in memory. */
export async function openDrizzleAdapter(): Promise<{ readonly adapter: Adapter; close(): void }> {
  const client = createClient({ url: ":memory:" });
  const table = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
  await client.executeMultiple(`PRAGMA foreign_keys = ON; ${sqliteTables({ table, time: "INTEGER" })}`);
  return { adapter: DrizzleAdapter(assumeDatabase(drizzle(client))), close: () => client.close() };
}

/** A cast: another copy of Drizzle, which the adapter declares its types with, may be installed. */
function assumeDatabase(database: object): Parameters<typeof DrizzleAdapter>[0] {
  return database as Parameters<typeof DrizzleAdapter>[0];
}
