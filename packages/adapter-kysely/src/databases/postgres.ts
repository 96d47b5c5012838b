import { PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { createScratch, openDatabase, readTables, type TestDatabase } from "./test-database.ts";

/** The server's URL, overridden by `CARDEA_TEST_POSTGRES`. */
const server = process.env.CARDEA_TEST_POSTGRES ?? "postgresql://postgres@127.0.0.1:5432/test";

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A separate database on the PostgreSQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openPostgres(tables: string = readTables("postgres")): Promise<TestDatabase> {
  const name = await createScratch((sql) => run(server, sql));
  const connectionString = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await run(connectionString, tables);
  return openDatabase(
    () => new PostgresDialect({ pool: new Pool({ connectionString, max: 10 }) }),
    () => run(server, `DROP DATABASE ${name} WITH (FORCE)`),
  );
}
