import { type NodePgDatabase, drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { postgresTables } from "../tables/postgres-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf, createRecorder, reach, scratchName, type TestDatabase } from "./test-database.ts";

/** The server's URL, overridden by `CARDEA_TEST_POSTGRES`. */
const server = process.env.CARDEA_TEST_POSTGRES ?? "postgresql://postgres@127.0.0.1:5432/test";

/** A separate database on the PostgreSQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openPostgres(sql: string = readTables("postgres")): Promise<TestDatabase<NodePgDatabase>> {
  const admin = new pg.Client({ connectionString: server, connectionTimeoutMillis: 10_000 });
  const name = scratchName();
  await reach(async () => {
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
  });
  const connectionString = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const pools = [connect(connectionString), connect(connectionString)] as const;
  const { logger, statements } = createRecorder();
  const db = drizzle(pools[0], { logger });
  await pools[0].query(sql);
  return {
    db,
    other: drizzle(pools[1]),
    adapter: adapterOf(db, postgresTables()),
    run: async (statement) => void (await pools[0].query(statement)),
    statements,
    async close() {
      for (const pool of pools) await pool.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

/** The server closes connections when their database goes, which is no error here. */
function connect(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString });
  return pool.on("connect", (client) => client.on("error", () => undefined));
}
