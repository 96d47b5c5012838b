import { D1Dialect } from "kysely-d1";
import { Miniflare } from "miniflare";
import { openDatabase, readTables, statementsOf, type TestDatabase } from "./test-database.ts";

/** D1 of Cloudflare, in workerd on this machine. */
export async function openD1(): Promise<TestDatabase> {
  const worker = { modules: true, script: "export default { fetch: () => new Response() };" };
  const miniflare = new Miniflare({ ...worker, d1Databases: ["DB"], compatibilityDate: "2026-04-01" });
  const database = await miniflare.getD1Database("DB");
  for (const statement of statementsOf(readTables("sqlite"))) await database.prepare(statement).run();
  return openDatabase(
    () => new D1Dialect({ database }),
    () => miniflare.dispose(),
  );
}
