import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { sampleSessionInfo } from "../../../testing/src/adapter-contract/samples.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openMariadb } from "./mariadb.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import { whereReachable } from "./test-database.ts";

const DAY = 24 * 60 * 60 * 1000;
const page = readFileSync(new URL("../../../../docs/database.md", import.meta.url), "utf8");

/** The statements of the page's cleanup job. */
function jobOf(name: string): readonly string[] {
  const [, text = ""] = new RegExp(`\`\`\`sql\n-- ${name}.*\n([^\`]*(?:\`\\w+\`[^\`]*)*)\`\`\``).exec(page) ?? [];
  return text
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

const open = {
  PostgreSQL: () => whereReachable("PostgreSQL", () => openPostgres()),
  MySQL: () => whereReachable("MariaDB", () => openMariadb()),
} as const;

describe.each(["PostgreSQL", "MySQL"] as const)("docs/database.md#cleanup on %s", (name) => {
  it("deletes what expired more than an hour ago, and nothing else", async () => {
    const database = await open[name]();
    if (database === undefined) return;
    try {
      const { db } = database;
      const adapter = KyselyAdapter(db);
      const user = await adapter.createUser?.({ id: "", name: "Ann", email: "ann@example.com", emailVerified: null });
      const userId = user?.id ?? "";
      for (const days of [-1, -0.01, 1]) {
        const expires = new Date(Date.now() + days * DAY);
        await adapter.createSessionInfo?.(sampleSessionInfo(userId, { id: `${days}`, expires, endedAt: new Date() }));
        await adapter.createSession?.({ sessionToken: `${days}`, userId, expires });
        await adapter.createVerificationToken?.({ identifier: "ann@example.com", token: `${days}`, expires });
      }
      const statements = jobOf(name);
      expect(statements).toHaveLength(3);
      // The columns of this adapter have a zone in PostgreSQL.
      for (const statement of statements) await sql.raw(statement.replace(" AT TIME ZONE 'UTC'", "")).execute(db);
      const infos = ((await adapter.listSessionInfosByUserId?.(userId)) ?? []).map(({ id }) => ({ key: id }));
      const sessions = await db.selectFrom("Session").select("sessionToken as key").execute();
      const tokens = await db.selectFrom("VerificationToken").select("token as key").execute();
      for (const rows of [infos, sessions, tokens]) expect(rows.map(({ key }) => key).sort()).toEqual(["-0.01", "1"]);
    } finally {
      await database.close();
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
