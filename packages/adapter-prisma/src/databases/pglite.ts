import type { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { importClient } from "./generate-client.ts";
import { readTables } from "./schemas.ts";
import { PATIENT, type TestDatabase } from "./test-database.ts";

/** The tables in an empty PostgreSQL in this process. */
export async function openPglite(server: PGlite): Promise<TestDatabase> {
  await server.exec(readTables("postgresql"));
  const { PrismaClient } = await importClient({ provider: "postgresql" });
  const client = new PrismaClient({ transactionOptions: PATIENT, adapter: new PrismaPGlite(server) });
  return {
    client,
    // One process with one connection: there is no second one.
    another: () => client,
    run: async (sql) => void (await server.exec(sql)),
    close: () => client.$disconnect(),
  };
}
