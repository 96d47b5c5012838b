// What the compiler accepts. The calls are never made: `npm test` checks the types of every file.
import type { Adapter } from "@cardea/core/adapters";
import type { AwsDataApiPgDatabase } from "drizzle-orm/aws-data-api/pg";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import type { MySqlRemoteDatabase } from "drizzle-orm/mysql-proxy";
import type { MySql2Database } from "drizzle-orm/mysql2";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { integer, pgSchema, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { PgliteDatabase } from "drizzle-orm/pglite";
import type { SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import { describe, expect, it } from "vitest";
import { DrizzleAdapter } from "./drizzle-adapter.ts";
import { mysqlTables } from "./tables/mysql-tables.ts";
import { postgresTables } from "./tables/postgres-tables.ts";
import { sqliteTables } from "./tables/sqlite-tables.ts";

const schema = postgresTables();

interface Databases {
  readonly nodePostgres: NodePgDatabase<typeof schema>;
  readonly pglite: PgliteDatabase;
  readonly aws: AwsDataApiPgDatabase<Record<string, never>>;
  readonly mysql2: MySql2Database;
  readonly mysqlProxy: MySqlRemoteDatabase<Record<string, never>>;
  readonly libsql: LibSQLDatabase;
  readonly d1: DrizzleD1Database;
  readonly sqliteProxy: SqliteRemoteDatabase;
}

function acceptEveryDriver(db: Databases): readonly Adapter[] {
  return [
    ...[db.nodePostgres, db.pglite, db.aws].map((one) => DrizzleAdapter(one, postgresTables())),
    ...[db.mysql2, db.mysqlProxy].map((one) => DrizzleAdapter(one, mysqlTables())),
    ...[db.libsql, db.d1, db.sqliteProxy].map((one) => DrizzleAdapter(one, sqliteTables())),
    DrizzleAdapter(db.nodePostgres),
    DrizzleAdapter(db.nodePostgres, postgresTables({ table: pgSchema("auth").table, casing: "snake_case" })),
  ];
}

function refuseWhatDoesNotFit(db: Databases): void {
  const { usersTable, accountsTable } = postgresTables();
  DrizzleAdapter(db.nodePostgres, { usersTable, accountsTable });
  // @ts-expect-error: tables of another database.
  DrizzleAdapter(db.nodePostgres, sqliteTables());
  // @ts-expect-error: tables of another database.
  DrizzleAdapter(db.libsql, postgresTables());
  // @ts-expect-error: tables of another database.
  DrizzleAdapter(db.mysql2, postgresTables());
  // @ts-expect-error: an account belongs to a user.
  DrizzleAdapter(db.nodePostgres, { usersTable });
  const numbered = pgTable("user", {
    ...{ id: integer("id"), name: text("name"), email: text("email"), image: text("image") },
    emailVerified: timestamp("emailVerified"),
  });
  // @ts-expect-error: ids are texts.
  DrizzleAdapter(db.nodePostgres, { usersTable: numbered, accountsTable });
  const withTextTimes = pgTable("user", {
    ...{ id: uuid("id"), name: text("name"), email: text("email"), image: text("image") },
    emailVerified: timestamp("emailVerified", { mode: "string" }),
  });
  // @ts-expect-error: times are dates.
  DrizzleAdapter(db.nodePostgres, { usersTable: withTextTimes, accountsTable });
}

describe("the types of DrizzleAdapter()", () => {
  it("accept every driver with its own tables, and refuse those of another", () => {
    expect([acceptEveryDriver, refuseWhatDoesNotFit]).toEqual([expect.any(Function), expect.any(Function)]);
  });
});
