import { DummyDriver, MssqlAdapter, MssqlQueryCompiler } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, KyselyAuth } from "./database.ts";
import { openSqlite } from "./databases/sqlite.ts";
import { KyselyAdapter } from "./kysely-adapter.ts";

const database = await openSqlite();
afterAll(() => database.close());

const statements: string[] = [];
const watched = database.db.withPlugin({
  transformQuery: ({ node }) => {
    statements.push(node.kind);
    return node;
  },
  transformResult: async ({ result }) => result,
});
const adapter = KyselyAdapter(watched);
const expires = new Date("2100-01-01T00:00:00.123Z");
const account = { type: "oauth", provider: "example" } as const;

beforeEach(() => void statements.splice(0));

async function addUser(name: string): Promise<string> {
  const user = { id: "proposed", name, email: `${name}@example.com`, emailVerified: null, image: null };
  return (await adapter.createUser?.(user))?.id ?? "";
}

describe("KyselyAdapter()", () => {
  it("reads a session and its user in one statement", async () => {
    const userId = await addUser("one");
    await adapter.createSession?.({ sessionToken: "one", userId, expires });
    statements.splice(0);
    const found = await adapter.getSessionAndUser?.("one");
    expect(found?.session).toEqual({ sessionToken: "one", userId, expires });
    expect(found?.user).toEqual({
      id: userId,
      name: "one",
      email: "one@example.com",
      emailVerified: null,
      image: null,
    });
    expect(statements).toEqual(["SelectQueryNode"]);
  });

  it("asks the database once for whatever takes one question", async () => {
    const userId = await addUser("once");
    const key = { provider: "example", providerAccountId: "once" };
    await adapter.linkAccount?.({ ...account, ...key, userId });
    await adapter.createVerificationToken?.({ identifier: "a", token: "once", expires });
    await adapter.createSession?.({ sessionToken: "once", userId, expires });
    statements.splice(0);
    await adapter.getUser?.(userId);
    await adapter.getUserByEmail?.("once@example.com");
    await adapter.getUserByAccount?.(key);
    await adapter.updateUser?.({ id: userId, name: "Once" });
    await adapter.getAccount?.("once", "example");
    await adapter.updateAccount?.({ ...key, access_token: "b" });
    await adapter.swapAccountTokens?.({ ...key, expected: null, tokens: { refresh_token: "r" } });
    await adapter.updateSession?.({ sessionToken: "once", expires });
    await adapter.useVerificationToken?.({ identifier: "a", token: "once" });
    await adapter.deleteSession?.("once");
    await adapter.unlinkAccount?.(key);
    await adapter.deleteUser?.(userId);
    const [select, update, remove] = ["SelectQueryNode", "UpdateQueryNode", "DeleteQueryNode"];
    expect(statements).toEqual([
      ...[select, select, select, update, select, update, update, update],
      ...[remove, remove, remove, remove],
    ]);
  });

  it("stores the members of an account that have a column, and further columns that it is told", async () => {
    const own = await openSqlite();
    const wider = KyselyAdapter(own.db, { accountColumns: ["refresh_token_expires_in"] });
    await own.db.schema.alterTable("Account").addColumn("refresh_token_expires_in", "integer").execute();
    const user = { id: "", email: "wide@example.com", emailVerified: null };
    const given = { ...account, providerAccountId: "w", refresh_token_expires_in: 60, expires_in: 3600 };
    const { id: userId = "" } = (await wider.createUserWithAccount?.(user, given)) ?? {};
    const { expires_in: _, ...kept } = given;
    expect(await wider.getAccount?.("w", "example")).toEqual({ ...kept, userId });
    await own.close();
  });

  it("names a member of a user that has no column", async () => {
    const stranger = { id: "", email: "stranger@example.com", emailVerified: null, plan: "free" };
    await expect(adapter.createUser?.(stranger)).rejects.toThrow("plan");
  });

  it.each([
    ["an object", { "!=": "" }],
    ["a number", 1],
    ["undefined", undefined],
    ["null", null],
  ])("asks the database nothing about %s in place of an id", async (_name, value) => {
    const wrong = value as unknown as string;
    const attempts = [
      async () => adapter.getUser?.(wrong),
      async () => adapter.getUserByEmail?.(wrong),
      async () => adapter.getUserByAccount?.({ provider: "example", providerAccountId: wrong }),
      async () => adapter.getSessionAndUser?.(wrong),
      async () => adapter.useVerificationToken?.({ identifier: "a", token: wrong }),
      async () => adapter.deleteSession?.(wrong),
      async () => adapter.deleteUser?.(wrong),
      async () => adapter.updateAccount?.({ provider: wrong, providerAccountId: "1" }),
      async () => adapter.deleteCredential?.(wrong),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow("must be a string");
    expect(statements).toEqual([]);
  });

  it("writes all of a sign-up in a transaction of the application, or nothing", async () => {
    const user = { id: "", email: "undone@example.com", emailVerified: null };
    const work = database.db.transaction().execute(async (transaction) => {
      await KyselyAdapter(transaction).createUserWithAccount?.(user, { ...account, providerAccountId: "undone" });
      throw new Error("undone");
    });
    await expect(work).rejects.toThrow("undone");
    expect(await adapter.getUserByEmail?.(user.email)).toBeNull();
  });

  it("says at start what a dialect without transactions costs, and has no methods that need one", () => {
    // @ts-expect-error A caller without types.
    expect(() => KyselyAdapter("postgres://x")).toThrow("requires an instance of Kysely. It received string.");
    const warnings: string[] = [];
    const bare = KyselyAdapter(database.db, { transactions: false, warn: (message) => void warnings.push(message) });
    expect(warnings).toEqual([expect.stringMatching(/without transactions.*not created atomically.*no log/)]);
    expect(["createUserWithAccount" in bare, bare.store?.log]).toEqual([false, undefined]);
  });

  it("passes on what the driver says of a unique key that is taken", async () => {
    await addUser("taken");
    await expect(addUser("taken")).rejects.toMatchObject({ code: expect.stringContaining("SQLITE_CONSTRAINT") });
  });

  it("refuses a dialect that it does not speak", () => {
    const dialect = {
      createAdapter: () => new MssqlAdapter(),
      createDriver: () => new DummyDriver(),
      createQueryCompiler: () => new MssqlQueryCompiler(),
      createIntrospector: () => Promise.reject(new Error("not used")) as never,
    };
    expect(() => KyselyAdapter(new KyselyAuth<Database>({ dialect }))).toThrow("PostgreSQL, MySQL, MariaDB, SQLite");
  });
});
