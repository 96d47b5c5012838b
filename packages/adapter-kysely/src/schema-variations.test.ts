import { Kysely, SqliteDialect } from "kysely";
import Sqlite from "libsql";
import { describe, expect, it } from "vitest";
import type { Database } from "./database.ts";
import { readTables } from "./databases/test-database.ts";
import { KyselyAdapter } from "./kysely-adapter.ts";

const expires = new Date("2100-01-01T00:00:00.000Z");

/** A sign-in with everything that Auth.js stores, on tables that were changed. Resolves to what a failed step said; null if all worked. */
async function signIn(...changes: readonly string[]): Promise<string | null> {
  const database = new Sqlite(":memory:");
  database.exec(readTables("sqlite"));
  for (const sql of changes) database.exec(sql);
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database }) });
  const adapter = KyselyAdapter(db);
  const account = { type: "oauth", provider: "example", providerAccountId: "1" } as const;
  try {
    const draft = { id: "", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };
    const user = await adapter.createUserWithAccount?.(draft, account);
    await adapter.getUserByAccount?.(account);
    await adapter.getUserByEmail?.("ann@example.com");
    await adapter.createSession?.({ userId: user?.id ?? "", sessionToken: "token", expires });
    await adapter.getSessionAndUser?.("token");
    await adapter.createVerificationToken?.({ identifier: "ann@example.com", token: "hash", expires });
    await adapter.useVerificationToken?.({ identifier: "ann@example.com", token: "hash" });
    return null;
  } catch (error) {
    return String(error);
  } finally {
    await db.destroy();
  }
}

const COLUMNS = {
  User: ["id", "name", "email", "emailVerified", "image"],
  Account: ["userId", "type", "provider", "providerAccountId"],
  Session: ["sessionToken", "userId", "expires"],
  VerificationToken: ["identifier", "token", "expires"],
} as const;

describe("KyselyAdapter() on tables that lack something", () => {
  it("signs users in if they lack nothing", async () => {
    expect(await signIn()).toBeNull();
  });

  it.each(Object.keys(COLUMNS))("names the table %s", async (table) => {
    const said = await signIn(`ALTER TABLE "${table}" RENAME TO "Other"`);
    expect(said).toMatch(new RegExp(`lacks a table or a column: .*\\b${table}\\b.*@cardea/cli schema`));
  });

  it.each(Object.entries(COLUMNS).flatMap(([table, names]) => names.map((name) => [table, name] as const)))(
    "names the column %s.%s",
    async (table, column) => {
      const said = await signIn(`ALTER TABLE "${table}" RENAME COLUMN "${column}" TO "other"`);
      expect(said).toMatch(new RegExp(`lacks a table or a column: .*\\b${column}\\b.*@cardea/cli schema`));
    },
  );

  it("names ids that are numbers", async () => {
    const users = `CREATE TABLE "User" (id INTEGER PRIMARY KEY, name TEXT, email TEXT, "emailVerified" TEXT, image TEXT)`;
    expect(await signIn('DROP TABLE "User"', users)).toContain("`User.id` takes no text");
  });
});
