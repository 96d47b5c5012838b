import { D1Dialect } from "kysely-d1";
import { Miniflare } from "miniflare";
import { statementsOf } from "../../../testing/src/served-databases.ts";
import { openDatabase, readTables, type TestDatabase } from "./test-database.ts";

/** Runs a statement next to the database, as an application does, and passes on its result. */
const SCRIPT = `export default {
  async fetch(request, { DB }) {
    const { sql, values } = await request.json();
    try {
      return Response.json(await DB.prepare(sql).bind(...values).all());
    } catch (error) {
      return Response.json({ error: error.message });
    }
  },
};`;

/** D1 of Cloudflare, in workerd on this machine. */
export async function openD1(): Promise<TestDatabase> {
  const options = { modules: true, script: SCRIPT, d1Databases: ["DB"], compatibilityDate: "2026-04-01" };
  const miniflare = new Miniflare(options);
  // Miniflare's own proxy for the binding blocks a thread for each property, which occasionally fails in a worker
  // thread.
  const run = async (sql: string, values: readonly unknown[]) => {
    const response = await miniflare.dispatchFetch("http://d1/", {
      method: "POST",
      body: JSON.stringify({ sql, values }),
    });
    const result = parseResult(await response.json());
    if (result.error !== undefined) throw new Error(result.error);
    return result;
  };
  const prepare = (sql: string, values: readonly unknown[] = []) => ({
    bind: (...bound: readonly unknown[]) => prepare(sql, bound),
    all: () => run(sql, values),
  });
  for (const statement of statementsOf(readTables("sqlite"))) await run(statement, []);
  return openDatabase(
    () => new D1Dialect({ database: assumeDatabase({ prepare }) }),
    () => miniflare.dispose(),
  );
}

/** A cast: written by the script above. */
function parseResult(result: unknown): { readonly error?: string } {
  return result as { readonly error?: string };
}

/** A cast: of a database, the dialect calls these methods. */
function assumeDatabase(database: object): ConstructorParameters<typeof D1Dialect>[0]["database"] {
  return database as ConstructorParameters<typeof D1Dialect>[0]["database"];
}
