import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { Miniflare } from "miniflare";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf, createRecorder, statementsOf, type TestDatabase } from "./test-database.ts";

type D1 = Parameters<typeof drizzle>[0];

/** Cloudflare's D1, in a local worker. */
export async function openD1(sql: string = readTables("sqlite")): Promise<TestDatabase<DrizzleD1Database>> {
  const worker = new Miniflare({
    modules: true,
    script: "export default { fetch: () => new Response() }",
    d1Databases: { DB: crypto.randomUUID() },
  });
  const client = await worker.getD1Database("DB");
  const run = async (statements: string) => {
    await client.batch(statementsOf(statements).map((statement) => client.prepare(statement)));
  };
  await run(sql);
  const { logger, statements } = createRecorder();
  const db = drizzle(assumeClient(client), { logger });
  return { db, other: db, adapter: adapterOf(db, sqliteTables()), run, statements, close: () => worker.dispose() };
}

/** A cast: Miniflare describes the same interface with types of its own. */
function assumeClient(client: object): D1 {
  return client as D1;
}
