import { PGlite } from "@electric-sql/pglite";
import { drizzle, type PgliteDatabase } from "drizzle-orm/pglite";
import { postgresTables } from "../tables/postgres-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf, createRecorder, type TestDatabase } from "./test-database.ts";

/** PostgreSQL in this process. */
export async function openPglite(sql: string = readTables("postgres")): Promise<TestDatabase<PgliteDatabase>> {
  const server = new PGlite();
  await server.exec(sql);
  const { logger, statements } = createRecorder();
  const db = drizzle(server, { logger });
  return {
    db,
    // One process, one connection: there is no other.
    other: db,
    adapter: adapterOf(db, postgresTables()),
    run: async (statement) => void (await server.exec(statement)),
    statements,
    close: () => server.close(),
  };
}
