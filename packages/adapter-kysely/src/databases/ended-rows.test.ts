import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { sampleSessionInfo } from "../../../testing/src/adapter-contract/samples.ts";
import { readCleanupStatements, testCleanup, testPurge } from "../../../testing/src/expired-rows.ts";
import { isLong } from "../../../testing/src/long-form.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openMariadb } from "./mariadb.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

const DAY = 24 * 60 * 60 * 1000;

const open = {
  PostgreSQL: () => whereReachable("PostgreSQL", () => openPostgres()),
  "MySQL, MariaDB": () => whereReachable("MariaDB", () => openMariadb()),
  SQLite: () => openSqlite(),
} as const;

const short = ["PostgreSQL", "SQLite"] as const;

describe.each(isLong ? ([...short, "MySQL, MariaDB"] as const) : short)("docs/database.md#cleanup on %s", (name) => {
  it("deletes what expired more than an hour ago, and nothing else", async () => {
    const database = await open[name]();
    if (database === undefined) return;
    try {
      const statements = readCleanupStatements(`-- ${name}`);
      expect(statements).toHaveLength(3);
      await testCleanup(KyselyAdapter(database.db), async () => {
        // The columns of this adapter have a zone in PostgreSQL.
        for (const statement of statements) {
          await sql.raw(statement.replace(" AT TIME ZONE 'UTC'", "")).execute(database.db);
        }
      });
    } finally {
      await database.close();
    }
  });
});

describe("the store of KyselyAdapter()", () => {
  it("deletes expired rows in batches", async () => {
    const { db, close } = await openSqlite();
    try {
      const { store } = KyselyAdapter(db);
      if (store === undefined) throw new Error("The adapter has no store.");
      await testPurge(store, async () => (await sql`select key from "State"`.execute(db)).rows.length);
    } finally {
      await close();
    }
  });
});

describe("listSessionInfosByUserId()", () => {
  it("finds the active sessions of a user by an index, without reading those that ended", async () => {
    const { db, close } = await openSqlite();
    try {
      const plan = await sql<{ detail: string }>`explain query plan select * from "SessionInfo"
        where "userId" = 'ann' and "endedAt" is null and "expires" > '2026-01-01'`.execute(db);
      expect(plan.rows.map(({ detail }) => detail)).toEqual([
        "SEARCH SessionInfo USING INDEX SessionInfo_userId_endedAt_expires_idx (userId=? AND endedAt=? AND expires>?)",
      ]);
      const adapter = KyselyAdapter(db);
      const user = await adapter.createUser?.({ id: "", name: "Ann", email: "ann@example.com", emailVerified: null });
      const expires = new Date(Date.now() + DAY);
      const one = { ...sampleSessionInfo(user?.id ?? ""), expires };
      await adapter.createSessionInfo?.(one);
      await adapter.createSessionInfo?.({ ...one, id: "ended", tokenHash: "ended", endedAt: new Date() });
      await adapter.createSessionInfo?.({ ...one, id: "over", tokenHash: "over", expires: new Date(Date.now() - 1) });
      const listed = await adapter.listSessionInfosByUserId?.(user?.id ?? "", new Date());
      expect(listed?.map(({ id }) => id)).toEqual([one.id]);
    } finally {
      await close();
    }
  });
});
