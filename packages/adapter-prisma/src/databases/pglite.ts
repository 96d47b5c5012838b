import { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { importClient } from "./generate-client.ts";
import { readTables } from "./schemas.ts";
import type { TestDatabase } from "./test-database.ts";

/** PostgreSQL in this process. */
export async function openPglite(): Promise<TestDatabase> {
  const server = new PGlite();
  await server.exec(readTables("postgresql"));
  const { PrismaClient } = await importClient({ provider: "postgresql" });
  const client = new PrismaClient({ adapter: new PrismaPGlite(server) });
  return {
    client,
    // One process, one connection: there is no other.
    another: () => client,
    run: async (sql) => void (await server.exec(sql)),
    async close() {
      await client.$disconnect();
      await server.close();
    },
  };
}
