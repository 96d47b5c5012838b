import { MysqlDialect } from "kysely";
import { createPool, type PoolOptions } from "mysql2";
import { createConnection } from "mysql2/promise";
import {
  createScratch,
  mariadbOptions as optionsOf,
  mariadbServer as server,
  statementsOf,
} from "../../../testing/src/served-databases.ts";
import { type Database, KyselyAuth } from "../database.ts";
import { openDatabase, readTables, type ServedDatabase } from "./test-database.ts";

async function run(options: PoolOptions, statements: readonly string[]): Promise<void> {
  const connection = await createConnection(options);
  try {
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end();
  }
}

// The pool with callbacks: Kysely does not take that of mysql2/promise.
function dialectOf(options: PoolOptions, first?: string): MysqlDialect {
  const pool = createPool({ ...options, connectionLimit: 10 });
  if (first !== undefined) pool.on("connection", (connection) => connection.query(first));
  return new MysqlDialect({ pool });
}

/** An instance on a database that is there already. */
export function connectMariadb(url: string): KyselyAuth<Database> {
  const at = new URL(url);
  return new KyselyAuth<Database>({ dialect: dialectOf(optionsOf(at.pathname.slice(1), at)) });
}

/** A separate database on the MariaDB or MySQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openMariadb(tables: string = readTables("mysql"), first?: string): Promise<ServedDatabase> {
  const name = await createScratch((sql) => run(optionsOf(), [sql]));
  await run(optionsOf(name), statementsOf(tables));
  const database = openDatabase(
    () => dialectOf(optionsOf(name), first),
    () => run(optionsOf(), [`DROP DATABASE ${name}`]),
  );
  return { ...database, url: Object.assign(new URL(server), { pathname: `/${name}` }).href };
}
