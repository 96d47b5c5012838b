import { describe, expect, it } from "vitest";
import { readCleanupStatements, runCleanupJob, testCleanup, testPurge } from "../../../testing/src/expired-rows.ts";
import { isLong } from "../../../testing/src/long-form.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { openMariadb } from "./mariadb.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { TestDatabase } from "./test-database.ts";

const open: Readonly<Record<string, () => Promise<TestDatabase | undefined>>> = {
  PostgreSQL: () => whereReachable("PostgreSQL", () => openPostgres()),
  SQLite: () => openSqlite(),
  ...(isLong ? { "MySQL, MariaDB": () => whereReachable("MariaDB", () => openMariadb()) } : {}),
};

describe.each(Object.keys(open))("docs/database.md#cleanup on %s", (name) => {
  it("deletes what expired more than an hour ago, and nothing else", async () => {
    const database = await open[name]?.();
    if (database === undefined) return;
    try {
      const { client } = database;
      await testCleanup(PrismaAdapter(client), () => runCleanupJob("// Prisma", { prisma: client }));
    } finally {
      await database.close();
    }
  });
});

describe.each(Object.keys(open).filter((name) => name !== "SQLite"))(
  "the statements of docs/database.md#cleanup on %s",
  (name) => {
    it("delete what expired more than an hour ago, and nothing else", async () => {
      const database = await open[name]?.();
      if (database === undefined) return;
      try {
        const statements = readCleanupStatements(`-- ${name}`);
        expect(statements).toHaveLength(3);
        await testCleanup(PrismaAdapter(database.client), () => database.run(statements.join(";\n")));
      } finally {
        await database.close();
      }
    });
  },
);

describe("the store of PrismaAdapter()", () => {
  it("deletes expired rows in batches", async () => {
    const { client, close } = await openSqlite();
    try {
      const { store } = PrismaAdapter(client);
      if (store === undefined) throw new Error("The adapter has no store.");
      // A cast: the model is in the schema that the client was generated from.
      const { state } = client as unknown as { readonly state: { count(): Promise<number> } };
      await testPurge(store, () => state.count());
    } finally {
      await close();
    }
  });
});
