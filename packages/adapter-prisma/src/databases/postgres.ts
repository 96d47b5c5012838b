import { PrismaPg } from "@prisma/adapter-pg";
import { type ClientChoice, importClient } from "./generate-client.ts";
import { readTables } from "./schemas.ts";
import { createScratch, runSql, type TestDatabase } from "./test-database.ts";

/** The server's URL, overridden by `CARDEA_TEST_POSTGRES`. */
const server = process.env.CARDEA_TEST_POSTGRES ?? "postgresql://postgres@127.0.0.1:5432/test";

/** A separate database on the PostgreSQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openPostgres(choice: Omit<ClientChoice, "provider"> = {}): Promise<TestDatabase> {
  const admin = new PrismaPg({ connectionString: server, connectionTimeoutMillis: 10_000 });
  const name = await createScratch(admin);
  const connectionString = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const factory = new PrismaPg({ connectionString });
  await runSql(factory, readTables("postgresql"));
  const { PrismaClient } = await importClient({ ...choice, provider: "postgresql" });
  const client = new PrismaClient({ adapter: factory });
  return {
    client,
    run: (sql) => runSql(factory, sql),
    async close() {
      await client.$disconnect();
      await runSql(admin, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
