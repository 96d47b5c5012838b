import { PrismaPg } from "@prisma/adapter-pg";
import { type ClientChoice, type GeneratedClient, importClient } from "./generate-client.ts";
import { readTables } from "./schemas.ts";
import { createScratch, PATIENT, runSql, type TestDatabase } from "./test-database.ts";

/** The server's URL, overridden by `CARDEA_TEST_POSTGRES`. */
const server = process.env.CARDEA_TEST_POSTGRES ?? "postgresql://postgres@127.0.0.1:5432/test";

/** Has every transaction of a connection run at SERIALIZABLE, where the database ends those that meet, of single statements too. */
export const SERIALIZABLE = { options: "-c default_transaction_isolation=serializable" } as const;

/** A separate database on the PostgreSQL server. Rejects with `ServerUnreachable` if there is no server. */
export async function openPostgres(
  choice: Omit<ClientChoice, "provider"> = {},
  settings: { readonly options?: string } = {},
): Promise<TestDatabase> {
  const admin = new PrismaPg({ connectionString: server, connectionTimeoutMillis: 10_000 });
  const name = await createScratch(admin);
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
