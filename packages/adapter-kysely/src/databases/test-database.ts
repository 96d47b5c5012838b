import { readFileSync } from "node:fs";
import type { Dialect } from "kysely";
import { type Database, KyselyAuth } from "../database.ts";

/** A database with empty tables and an instance for it, for the tests of one file. */
export interface TestDatabase {
  readonly db: KyselyAuth<Database>;
  /** Another instance, with connections of its own, as another process has them; closed with the database. */
  another(): KyselyAuth<Database>;
  close(): Promise<void>;
}

/** A database on a server. */
export interface ServedDatabase extends TestDatabase {
  /** Where other processes find it. */
  readonly url: string;
}

/** The SQL of this package that creates the tables. */
export function readTables(kind: "postgres" | "mysql" | "sqlite"): string {
  return readFileSync(new URL(`../../sql/schema.${kind}.sql`, import.meta.url), "utf8");
}

/** The statements of some SQL. */
export function statementsOf(sql: string): readonly string[] {
  const statements = sql.replace(/^--.*$/gm, "").split(/;$/m);
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}

/** A database behind instances that `connect` gives dialects, and `drop` removes. */
export function openDatabase(connect: () => Dialect, drop: () => Promise<void>): TestDatabase {
  const db = new KyselyAuth<Database>({ dialect: connect() });
  let second: KyselyAuth<Database> | undefined;
  return {
    db,
    another() {
      second ??= new KyselyAuth<Database>({ dialect: connect() });
      return second;
    },
    async close() {
      await second?.destroy();
      await db.destroy();
      await drop();
    },
  };
}

/** There is no server, or it denies access. */
class ServerUnreachable extends Error {
  override readonly name = "ServerUnreachable";
}

/** Creates a database for this run only. Resolves to its name; rejects with {@link ServerUnreachable}. */
export async function createScratch(run: (sql: string) => Promise<unknown>): Promise<string> {
  const name = `cardea_test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  try {
    await run(`CREATE DATABASE ${name}`);
    return name;
  } catch (error) {
    throw new ServerUnreachable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * The result of `open`; undefined, with a warning, if its server is unreachable. In CI, that is an error: a skipped
 * check must not look like a passed one.
 */
export async function whereReachable<T>(server: string, open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (process.env.CI || !(error instanceof ServerUnreachable)) throw error;
    console.warn(`SKIPPED: the tests of KyselyAdapter() on ${server}, which is not reachable: ${error.message}`);
    return undefined;
  }
}
