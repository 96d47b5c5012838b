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
