import { PrismaPg } from "@prisma/adapter-pg";
import { createScratch, postgresServer as server } from "../../../testing/src/served-databases.ts";
import { type ClientChoice, type GeneratedClient, importClient } from "./generate-client.ts";
import { readTables } from "./schemas.ts";
import { PATIENT, runSql, type TestDatabase } from "./test-database.ts";

/** A separate database on the PostgreSQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openPostgres(
  choice: Omit<ClientChoice, "provider"> = {},
  settings: { readonly options?: string } = {},
): Promise<TestDatabase> {
  const admin = new PrismaPg({ connectionString: server, connectionTimeoutMillis: 10_000 });
  const name = await createScratch((sql) => runSql(admin, sql));
  const connectionString = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const factory = new PrismaPg({ connectionString, ...settings });
  await runSql(factory, readTables("postgresql"));
  const { PrismaClient } = await importClient({ ...choice, provider: "postgresql" });
  const client = new PrismaClient({ transactionOptions: PATIENT, adapter: factory });
  let second: GeneratedClient | undefined;
  return {
    client,
    another() {
      second ??= new PrismaClient({ transactionOptions: PATIENT, adapter: factory });
      return second;
    },
    run: (sql) => runSql(factory, sql),
    async close() {
      await second?.$disconnect();
      await client.$disconnect();
      // Not with FORCE: a pool does not wait until its connections are closed, and the server does, for five seconds.
      await runSql(admin, `DROP DATABASE ${name}`);
    },
  };
}
