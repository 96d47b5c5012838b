import { PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { createScratch, postgresServer as server } from "../../../testing/src/served-databases.ts";
import { type Database, KyselyAuth } from "../database.ts";
import { openDatabase, readTables, type ServedDatabase } from "./test-database.ts";

interface Settings {
  readonly options?: string;
}

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const dialectOf = (connectionString: string, settings: Settings = {}) =>
  new PostgresDialect({ pool: new Pool({ connectionString, max: 10, ...settings }) });

/** An instance on a database that is there already. */
export function connectPostgres(url: string): KyselyAuth<Database> {
  return new KyselyAuth<Database>({ dialect: dialectOf(url) });
}

/** A separate database on the PostgreSQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openPostgres(
  tables: string = readTables("postgres"),
  settings: Settings = {},
): Promise<ServedDatabase> {
  const name = await createScratch((sql) => run(server, sql));
  const connectionString = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await run(connectionString, tables);
  // Not with FORCE: a pool does not wait until its connections are closed, and the server does, for five seconds.
  const database = openDatabase(
    () => dialectOf(connectionString, settings),
    () => run(server, `DROP DATABASE ${name}`),
  );
  return { ...database, url: connectionString };
}
