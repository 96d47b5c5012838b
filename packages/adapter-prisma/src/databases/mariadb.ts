import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { createScratch, mariadbOptions } from "../../../testing/src/served-databases.ts";
import { type GeneratedClient, importClient } from "./generate-client.ts";
import { readTables } from "./schemas.ts";
import { PATIENT, runSql, type TestDatabase } from "./test-database.ts";

function connect(database?: string, first?: string): PrismaMariaDb {
  return new PrismaMariaDb({ ...mariadbOptions(database), ...(first === undefined ? {} : { initSql: first }) });
}

/**
 * A separate database on the MariaDB or MySQL server. Rejects with `ServerUnreachable` if there is no server. `tables` is
 * the SQL that creates the tables; default: that of this package.
 */
export async function openMariadb(tables: string = readTables("mysql"), first?: string): Promise<TestDatabase> {
  const admin = connect();
  const name = await createScratch((sql) => runSql(admin, sql));
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
