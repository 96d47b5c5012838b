import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteDialect } from "kysely";
import Sqlite from "libsql";
import { openDatabase, readTables, type TestDatabase } from "./test-database.ts";

/** SQLite in a separate file, through the interface of better-sqlite3, which the driver of libSQL has. */
export async function openSqlite(tables: string = readTables("sqlite")): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "cardea-sqlite-"));
  const connect = () => {
    const database = new Sqlite(join(folder, "test.db"));
    database.exec("PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000; PRAGMA synchronous = OFF;");
    return database;
  };
  const first = connect();
  first.exec(tables);
  first.close();
  return openDatabase(
    () => new SqliteDialect({ database: connect() }),
    () => rm(folder, { recursive: true }),
  );
}
