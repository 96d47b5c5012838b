import { drizzle, type MySql2Database } from "drizzle-orm/mysql2";
import { createPool, type Pool } from "mysql2";
import { mysqlTables } from "../tables/mysql-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf, createRecorder, reach, scratchName, statementsOf, type TestDatabase } from "./test-database.ts";

/** The server's URL, overridden by `CARDEA_TEST_MARIADB`. */
const server = new URL(process.env.CARDEA_TEST_MARIADB ?? "mariadb://root@127.0.0.1:3306");

/** What MariaDB does by default from version 11.6 on: it ends a transaction that writes a record which changed since it was read. */
export const SNAPSHOTS = "SET SESSION autocommit = 1 /*M!101108 , innodb_snapshot_isolation = ON */";

function connect(database?: string, first?: string): Pool {
  const pool = createPool({
    host: server.hostname,
    port: Number(server.port || 3306),
    user: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
    connectTimeout: 10_000,
    ...(database === undefined ? {} : { database }),
  });
  if (first !== undefined) pool.on("connection", (connection) => connection.query(first));
  return pool;
}

async function runSql(pool: Pool, sql: string): Promise<void> {
  for (const statement of statementsOf(sql)) await pool.promise().query(statement);
}

/** A separate database on the MariaDB or MySQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openMariadb(
  sql: string = readTables("mysql"),
  first?: string,
): Promise<TestDatabase<MySql2Database>> {
  const admin = connect();
  const name = scratchName();
  await reach(() => runSql(admin, `CREATE DATABASE ${name} CHARACTER SET utf8mb4`));
  const pools = [connect(name, first), connect(name, first)] as const;
  await runSql(pools[0], sql);
  const { logger, statements } = createRecorder();
  const db = drizzle(pools[0], { logger });
  return {
    db,
    other: drizzle(pools[1]),
    adapter: adapterOf(db, mysqlTables()),
    run: (statement) => runSql(pools[0], statement),
    statements,
    async close() {
      await runSql(admin, `DROP DATABASE ${name}`);
      for (const pool of [...pools, admin]) await pool.promise().end();
    },
  };
}
