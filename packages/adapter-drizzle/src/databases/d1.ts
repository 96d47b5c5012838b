import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { Miniflare } from "miniflare";
import { statementsOf } from "../../../testing/src/served-databases.ts";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf, createRecorder, type TestDatabase } from "./test-database.ts";

type D1 = Parameters<typeof drizzle>[0];

/** Runs statements next to the database, as an application does, and passes on their results. */
const SCRIPT = `export default {
  async fetch(request, { DB }) {
    const { method, statements } = await request.json();
    const [first, ...more] = statements.map(({ sql, values }) => DB.prepare(sql).bind(...values));
    try {
      return Response.json({ result: method === "batch" ? await DB.batch([first, ...more]) : await first[method]() });
    } catch (error) {
      return Response.json({ error: error.message });
    }
  },
};`;

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Cloudflare's D1, in a local worker. */
export async function openD1(sql: string = readTables("sqlite")): Promise<TestDatabase<DrizzleD1Database>> {
  const worker = new Miniflare({ modules: true, script: SCRIPT, d1Databases: { DB: crypto.randomUUID() } });
  // Miniflare's own proxy for the binding blocks a thread for each property, which occasionally fails in a worker
  // thread.
  const send = async (method: string, statements: readonly Statement[]) => {
    const response = await worker.dispatchFetch("http://d1/", {
      method: "POST",
      body: JSON.stringify({ method, statements: statements.map(({ sql, values }) => ({ sql, values })) }),
    });
    const { result, error } = parseAnswer(await response.json());
    if (error !== undefined) throw new Error(error);
    return result;
  };
  const prepare = (sql: string, values: readonly unknown[] = []) => ({
    sql,
    values,
    bind: (...bound: readonly unknown[]) => prepare(sql, bound),
    all: () => send("all", [{ sql, values }]),
    raw: () => send("raw", [{ sql, values }]),
    run: () => send("run", [{ sql, values }]),
  });
  const client = { prepare, batch: (statements: readonly Statement[]) => send("batch", statements) };
  const run = async (statements: string) => {
    await client.batch(statementsOf(statements).map((statement) => prepare(statement)));
  };
  await run(sql);
  const { logger, statements } = createRecorder();
  const db = drizzle(assumeClient(client), { logger });
  return {
    db,
    other: db,
    adapter: adapterOf(db, sqliteTables({ passkeyNames: true })),
    run,
    statements,
    close: () => worker.dispose(),
  };
}

/** A cast: written by the script above. */
function parseAnswer(answer: unknown): { readonly result?: unknown; readonly error?: string } {
  return answer as { readonly result?: unknown; readonly error?: string };
}

/** A cast: of a database, Drizzle calls these methods. */
function assumeClient(client: object): D1 {
  return client as D1;
}
