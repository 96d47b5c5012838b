import { MysqlDialect } from "kysely";
import { createPool, type PoolOptions } from "mysql2";
import { createConnection } from "mysql2/promise";
import { createScratch, openDatabase, readTables, statementsOf, type TestDatabase } from "./test-database.ts";

/** The server's URL, overridden by `CARDEA_TEST_MARIADB`. */
const server = new URL(process.env.CARDEA_TEST_MARIADB ?? "mariadb://root@127.0.0.1:3306");

function optionsOf(database?: string): PoolOptions {
  return {
    host: server.hostname,
    port: Number(server.port || 3306),
    user: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
    connectTimeout: 10_000,
    ...(database === undefined ? {} : { database }),
  };
}

async function run(options: PoolOptions, statements: readonly string[]): Promise<void> {
  const connection = await createConnection(options);
  try {
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end();
  }
}

/** A separate database on the MariaDB or MySQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openMariadb(tables: string = readTables("mysql")): Promise<TestDatabase> {
  const name = await createScratch((sql) => run(optionsOf(), [sql]));
  await run(optionsOf(name), statementsOf(tables));
  return openDatabase(
    // The pool with callbacks: Kysely does not take that of mysql2/promise.
    () => new MysqlDialect({ pool: createPool({ ...optionsOf(name), connectionLimit: 10 }) }),
    () => run(optionsOf(), [`DROP DATABASE ${name}`]),
  );
}
