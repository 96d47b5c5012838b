import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { createScratch, postgresServer as server, statementsOf } from "../../../testing/src/served-databases.ts";
import { postgresTables } from "../tables/postgres-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf, createRecorder, type TestDatabase } from "./test-database.ts";

/** A separate database on the PostgreSQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openPostgres(
  sql: string = readTables("postgres"),
  settings: { readonly options?: string } = {},
): Promise<TestDatabase<NodePgDatabase>> {
  const admin = new pg.Client({ connectionString: server, connectionTimeoutMillis: 10_000 });
  const name = await createScratch(async (create) => {
    await admin.connect();
    await admin.query(create);
  });
  const connectionString = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const pools = [
    new pg.Pool({ connectionString, ...settings }),
    new pg.Pool({ connectionString, ...settings }),
  ] as const;
  const { logger, statements } = createRecorder();
  const db = drizzle(pools[0], { logger });
  await pools[0].query(sql);
  return {
    db,
    other: drizzle(pools[1]),
    adapter: adapterOf(db, postgresTables({ passkeyNames: true })),
    // One by one: several in one query are a transaction, in which no index is built concurrently.
    async run(text) {
      for (const statement of statementsOf(text)) await pools[0].query(statement);
    },
    statements,
    async close() {
      for (const pool of pools) await pool.end();
      // It waits for the connections that are closing.
      await admin.query(`DROP DATABASE ${name}`);
      await admin.end();
    },
  };
}
