import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PrismaLibSql } from "@prisma/adapter-libsql";
import { PrismaLibSQL } from "prisma6-adapter-libsql";
import { type ClientChoice, type GeneratedClient, importClient } from "./generate-client.ts";
import { readTables } from "./schemas.ts";
import { PATIENT, runSql, type TestDatabase } from "./test-database.ts";
import { writeDdl } from "./write-ddl.ts";

/** Files in memory, where there are such: nothing has to survive, so that no write waits for the disk. */
const inMemory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** SQLite in a separate file, with the tables of the chosen models. */
export async function openSqlite(choice: Omit<ClientChoice, "provider"> = {}): Promise<TestDatabase> {
  const { models } = choice;
  const tables = models ? writeDdl("sqlite", new PrismaLibSql({ url: ":memory:" }), models) : readTables("sqlite");
  const folder = await mkdtemp(join(inMemory, "cardea-sqlite-"));
  const url = `file:${join(folder, "test.db")}`;
  const factory = new PrismaLibSql({ url });
  await runSql(factory, await tables);
  const { PrismaClient } = await importClient({ ...choice, provider: "sqlite" });
  const client = new PrismaClient({
    adapter: choice.version === 6 ? new PrismaLibSQL({ url }) : factory,
    transactionOptions: PATIENT,
  });
  let second: GeneratedClient | undefined;
  return {
    client,
    another() {
      second ??= new PrismaClient({
        adapter: choice.version === 6 ? new PrismaLibSQL({ url }) : factory,
        transactionOptions: PATIENT,
      });
      return second;
    },
    run: (sql) => runSql(factory, sql),
    async close() {
      await second?.$disconnect();
      await client.$disconnect();
      await rm(folder, { recursive: true });
    },
  };
}
