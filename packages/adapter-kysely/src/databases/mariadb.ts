import { MysqlDialect } from "kysely";
import { createPool, type PoolOptions } from "mysql2";
import { createConnection } from "mysql2/promise";
import { type Database, KyselyAuth } from "../database.ts";
import { createScratch, openDatabase, readTables, type ServedDatabase, statementsOf } from "./test-database.ts";

/** The server's URL, overridden by `CARDEA_TEST_MARIADB`. */
const server = new URL(process.env.CARDEA_TEST_MARIADB ?? "mariadb://root@127.0.0.1:3306");

function optionsOf(database?: string, at: URL = server): PoolOptions {
  return {
    host: at.hostname,
    port: Number(at.port || 3306),
    user: decodeURIComponent(at.username),
    password: decodeURIComponent(at.password),
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

/** What MariaDB does by default from version 11.6 on: it ends a transaction that writes a record which changed since it was read. */
export const SNAPSHOTS = "SET SESSION autocommit = 1 /*M!101108 , innodb_snapshot_isolation = ON */";

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
