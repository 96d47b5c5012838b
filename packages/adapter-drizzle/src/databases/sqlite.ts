import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { BetterSQLiteSession } from "drizzle-orm/better-sqlite3/session";
import { drizzle, type LibSQLDatabase } from "drizzle-orm/libsql";
import { BaseSQLiteDatabase, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import Sqlite from "libsql";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf, createRecorder, type TestDatabase } from "./test-database.ts";

/** A database that was made with columns for the names of passkeys. */
const NAMED = /CREATE TABLE .authenticator. \([^;]*\busedAt\b/;

/**
 * SQLite behind Drizzle's driver for `better-sqlite3`, which answers at once. The addon itself must be compiled, so that `libsql`, which
 * has its interface, takes its place. Foreign keys are enforced, as that addon does.
 */
export async function openSqlite(sql: string = readTables("sqlite")): Promise<TestDatabase> {
  const client = new Sqlite(":memory:");
  client.exec(`PRAGMA foreign_keys = ON; ${sql}`);
  const { logger, statements } = createRecorder();
  const dialect = new SQLiteSyncDialect();
  const session = new BetterSQLiteSession(assumeClient(client), dialect, undefined, { logger });
  const db = new BaseSQLiteDatabase("sync", dialect, session, undefined);
  return {
    db,
    other: db,
    adapter: adapterOf(db, sqliteTables({ passkeyNames: NAMED.test(sql) })),
    run: async (statement) => void client.exec(statement),
    statements,
    close: async () => void client.close(),
  };
}

/** Files in memory, where there are such: nothing has to survive, so that no write waits for the disk. */
const inMemory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** libSQL in a separate file. Foreign keys are not enforced: that is the default of each of its connections. */
export async function openLibsql(sql: string = readTables("sqlite")): Promise<TestDatabase<LibSQLDatabase>> {
  const folder = await mkdtemp(join(inMemory, "cardea-libsql-"));
  const url = `file:${join(folder, "test.db")}`;
  const [client, second] = [createClient({ url }), createClient({ url })];
  await client.executeMultiple(`PRAGMA journal_mode = WAL; ${sql}`);
  const { logger, statements } = createRecorder();
  const db = drizzle(client, { logger });
  return {
    db,
    other: drizzle(second),
    adapter: adapterOf(db, sqliteTables({ passkeyNames: NAMED.test(sql) })),
    run: (statement) => client.executeMultiple(statement),
    statements,
    async close() {
      for (const one of [client, second]) one.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A cast: `libsql` has the methods of `better-sqlite3` that Drizzle calls. */
function assumeClient(client: object): ConstructorParameters<typeof BetterSQLiteSession>[0] {
  return client as ConstructorParameters<typeof BetterSQLiteSession>[0];
}
