// Databases that were made for `@auth/drizzle-adapter`, and that adapter as it comes from npm.
import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { DrizzleAdapter } from "../drizzle-adapter.ts";
import { itSharesTables } from "./authjs-database.ts";
import { openMariadb } from "./mariadb.ts";
import { openPostgres } from "./postgres.ts";
import { openLibsql, openSqlite } from "./sqlite.ts";

import { theirTables } from "./their-tables.ts";

const databases = {
  SQLite: await openSqlite(theirTables("sqlite")),
  libSQL: await openLibsql(theirTables("sqlite")),
  PostgreSQL: await whereReachable("PostgreSQL", () => openPostgres(theirTables("postgres"))),
  MariaDB: await whereReachable("MariaDB", () => openMariadb(theirTables("mysql"))),
};
afterAll(async () => {
  for (const database of Object.values(databases)) await database?.close();
});

describe.each(Object.entries(databases))("tables of @auth/drizzle-adapter on %s", (_name, database) => {
  describe.skipIf(database === undefined)("without a change", () => {
    itSharesTables(() => {
      if (database === undefined) throw new Error("There is no database.");
      return database;
    });
  });
});

describe("DrizzleAdapter() on tables of @auth/drizzle-adapter", () => {
  // What extensions keep is absent, as its tables are.
  const { createCredential, createSessionInfo, store, ...adapter } = DrizzleAdapter(databases.SQLite.db);

  it("has no methods of tables that the application does not name", () => {
    expect([createCredential, createSessionInfo, store]).toEqual([undefined, undefined, undefined]);
  });

  adapterContract({ describe, it, expect }, () => ({ adapter }), {
    lacks: ["createSessionInfo", "createCredential", "updateAuthenticator"],
  });
});
