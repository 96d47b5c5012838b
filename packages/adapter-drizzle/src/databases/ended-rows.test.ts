import { lt, type SQL, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { readCleanupStatements, runCleanupJob, testCleanup, testPurge } from "../../../testing/src/expired-rows.ts";
import { isLong } from "../../../testing/src/long-form.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import { openMariadb } from "./mariadb.ts";
import { openPostgres } from "./postgres.ts";
import { openLibsql } from "./sqlite.ts";
import type { TestDatabase } from "./test-database.ts";

type Served = TestDatabase<{ execute(statement: SQL): PromiseLike<unknown> }>;

const served: Readonly<Record<string, () => Promise<Served | undefined>>> = {
  PostgreSQL: () => whereReachable("PostgreSQL", () => openPostgres()),
  ...(isLong ? { "MySQL, MariaDB": () => whereReachable("MariaDB", () => openMariadb()) } : {}),
};

/** The names of this adapter. */
const renamed = (statement: string) =>
  statement.replace(/(["`])(Session|SessionInfo|VerificationToken)\1/g, (name) =>
    name.replace(/[A-Z]/, (letter) => letter.toLowerCase()),
  );

describe.each(Object.keys(served))("docs/database.md#cleanup on %s", (name) => {
  it("deletes what expired more than an hour ago, and nothing else", async () => {
    const database = await served[name]?.();
    if (database === undefined) return;
    try {
      const statements = readCleanupStatements(`-- ${name}`);
      expect(statements).toHaveLength(3);
      await testCleanup(database.adapter, async () => {
        for (const statement of statements) await database.db.execute(sql.raw(renamed(statement)));
      });
    } finally {
      await database.close();
    }
  });
});

describe("docs/database.md#cleanup on SQLite", () => {
  it("deletes what expired more than an hour ago, and nothing else", async () => {
    const { db, adapter, close } = await openLibsql();
    try {
      await testCleanup(adapter, () =>
        runCleanupJob("// Drizzle with SQLite", { db, lt, ...sqliteTables({ passkeyNames: true }) }),
      );
    } finally {
      await close();
    }
  });
});

describe("the store of DrizzleAdapter()", () => {
  it("deletes expired rows in batches", async () => {
    const { db, adapter, close } = await openLibsql();
    try {
      if (adapter.store === undefined) throw new Error("The adapter has no store.");
      const { statesTable } = sqliteTables({ passkeyNames: true });
      await testPurge(adapter.store, async () => (await db.select().from(statesTable)).length);
    } finally {
      await close();
    }
  });
});
