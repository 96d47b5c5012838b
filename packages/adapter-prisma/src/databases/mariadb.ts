import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { type GeneratedClient, importClient } from "./generate-client.ts";
import { readTables } from "./schemas.ts";
import { createScratch, PATIENT, runSql, type TestDatabase } from "./test-database.ts";

/** The server's URL, overridden by `CARDEA_TEST_MARIADB`. */
const server = new URL(process.env.CARDEA_TEST_MARIADB ?? "mariadb://root@127.0.0.1:3306");

/** What MariaDB does by default from version 11.6 on: it ends a transaction that writes a record which changed since it was read. */
export const SNAPSHOTS = "SET SESSION autocommit = 1 /*M!101108 , innodb_snapshot_isolation = ON */";

function connect(database?: string, first?: string): PrismaMariaDb {
  return new PrismaMariaDb({
    host: server.hostname,
    port: Number(server.port || 3306),
    user: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
    connectTimeout: 10_000,
    ...(database === undefined ? {} : { database }),
    ...(first === undefined ? {} : { initSql: first }),
  });
}

/**
 * A separate database on the MariaDB or MySQL server. Rejects with `ServerUnreachable` if there is no server. `tables` is
 * the SQL that creates the tables; default: that of this package.
 */
export async function openMariadb(tables: string = readTables("mysql"), first?: string): Promise<TestDatabase> {
  const admin = connect();
  const name = await createScratch(admin);
  const factory = connect(name, first);
  await runSql(factory, tables);
  const { PrismaClient } = await importClient({ provider: "mysql" });
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
      await runSql(admin, `DROP DATABASE ${name}`);
    },
  };
}
