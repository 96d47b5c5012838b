import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { type GeneratedClient, importClient } from "./generate-client.ts";
import { readTables } from "./schemas.ts";
import { createScratch, runSql, type TestDatabase } from "./test-database.ts";

/** The server's URL, overridden by `CARDEA_TEST_MARIADB`. */
const server = new URL(process.env.CARDEA_TEST_MARIADB ?? "mariadb://root@127.0.0.1:3306");

function connect(database?: string): PrismaMariaDb {
  return new PrismaMariaDb({
    host: server.hostname,
    port: Number(server.port || 3306),
    user: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
    connectTimeout: 10_000,
    ...(database === undefined ? {} : { database }),
  });
}

/**
 * A separate database on the MariaDB or MySQL server. Rejects with `ServerUnreachable` if there is no server. `tables` is
 * the SQL that creates the tables; default: that of this package.
 */
export async function openMariadb(tables: string = readTables("mysql")): Promise<TestDatabase> {
  const admin = connect();
  const name = await createScratch(admin);
  const factory = connect(name);
  await runSql(factory, tables);
  const { PrismaClient } = await importClient({ provider: "mysql" });
  const client = new PrismaClient({ adapter: factory });
  let second: GeneratedClient | undefined;
  return {
    client,
    another() {
      second ??= new PrismaClient({ adapter: factory });
      return second;
    },
    run: (sql) => runSql(factory, sql),
    async close() {
      await second?.$disconnect();
      await client.$disconnect();
      await runSql(admin, `DROP DATABASE ${name}`);
    },
  };
}
