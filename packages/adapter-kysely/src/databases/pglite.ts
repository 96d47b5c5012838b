import type { PGlite } from "@electric-sql/pglite";
import { PostgresDialect, type PostgresPool } from "kysely";
import { openDatabase, readTables, type TestDatabase } from "./test-database.ts";

/** The tables in an empty PostgreSQL in this process. It has one connection, which callers take in turn. */
export async function openPglite(server: PGlite, tables: string = readTables("postgres")): Promise<TestDatabase> {
  await server.exec(tables);
  let last: Promise<void> = Promise.resolve();
  const connect = async () => {
    const before = last;
    let release = () => {};
    last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    const query = async (sql: string, parameters: readonly unknown[]) => {
      const { rows, affectedRows } = await server.query(sql, [...parameters]);
      // The driver counts rows that were written, and none that were read.
      return { command: commandOf(sql), rowCount: affectedRows ?? rows.length, rows };
    };
    return { query, release: () => release() };
  };
  const pool = assumePool({ connect, end: () => Promise.resolve() });
  return openDatabase(
    () => new PostgresDialect({ pool }),
    () => Promise.resolve(),
  );
}

function commandOf(sql: string): string {
  return sql.trimStart().split(" ")[0]?.toUpperCase() ?? "";
}

/** A cast: of a pool, Kysely calls these methods. */
function assumePool(pool: object): PostgresPool {
  return pool as PostgresPool;
}
