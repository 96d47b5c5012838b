import { drizzle, type MySql2Database } from "drizzle-orm/mysql2";
import { createPool, type Pool } from "mysql2";
import { createScratch, mariadbOptions, statementsOf } from "../../../testing/src/served-databases.ts";
import { mysqlTables } from "../tables/mysql-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf, createRecorder, type TestDatabase } from "./test-database.ts";

function connect(database?: string, first?: string): Pool {
  const pool = createPool(mariadbOptions(database));
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
  const name = await createScratch((create) => runSql(admin, `${create} CHARACTER SET utf8mb4`));
  const pools = [connect(name, first), connect(name, first)] as const;
  await runSql(pools[0], sql);
  const { logger, statements } = createRecorder();
  const db = drizzle(pools[0], { logger });
  return {
    db,
    other: drizzle(pools[1]),
    adapter: adapterOf(db, mysqlTables({ passkeyNames: true })),
    run: (statement) => runSql(pools[0], statement),
    statements,
    async close() {
      await runSql(admin, `DROP DATABASE ${name}`);
      for (const pool of [...pools, admin]) await pool.promise().end();
    },
  };
}
