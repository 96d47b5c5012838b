import type { PGlite } from "@electric-sql/pglite";
import { drizzle, type PgliteDatabase } from "drizzle-orm/pglite";
import { postgresTables } from "../tables/postgres-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf, createRecorder, type TestDatabase } from "./test-database.ts";

/** The tables in an empty PostgreSQL in this process. */
export async function openPglite(
  server: PGlite,
  sql: string = readTables("postgres"),
): Promise<TestDatabase<PgliteDatabase>> {
  await server.exec(sql);
  const { logger, statements } = createRecorder();
  const db = drizzle(server, { logger });
  return {
    db,
    // One process with one connection: there is no second one.
    other: db,
    adapter: adapterOf(db, postgresTables({ passkeyNames: true })),
    run: async (statement) => void (await server.exec(statement)),
    statements,
    close: () => Promise.resolve(),
  };
}
