import type { Adapter } from "@cardea/core/adapters";
import { DrizzleQueryError } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { whereReachable } from "../../testing/src/served-databases.ts";
import { openMariadb } from "./databases/mariadb.ts";
import { openPostgres } from "./databases/postgres.ts";
import { openLibsql, openSqlite } from "./databases/sqlite.ts";
import type { TestDatabase } from "./databases/test-database.ts";
import { DrizzleAdapter } from "./drizzle-adapter.ts";

const databases: Readonly<Record<string, TestDatabase | undefined>> = {
  SQLite: await openSqlite(),
  libSQL: await openLibsql(),
  PostgreSQL: await whereReachable("PostgreSQL", () => openPostgres()),
  MariaDB: await whereReachable("MariaDB", () => openMariadb()),
};
afterAll(async () => {
  for (const database of Object.values(databases)) await database?.close();
});

const expires = new Date("2100-01-01T00:00:00.123Z");

/** A user with an account, a session and a passkey. */
async function addPerson(adapter: Adapter, name: string) {
  const person = { id: "proposed", name, email: `${name}@example.com`, emailVerified: null, image: null };
  const { id: userId = "" } = (await adapter.createUser?.(person)) ?? {};
  const key = { provider: "example", providerAccountId: name };
  await adapter.linkAccount?.({ userId, type: "oauth", ...key, access_token: "a" });
  await adapter.createSession?.({ userId, sessionToken: `session-${name}`, expires });
  const credentialID = `passkey-${name}`;
  await adapter.createAuthenticator?.({
    ...{ userId, credentialID, providerAccountId: name, counter: 0, credentialPublicKey: "k" },
    ...{ credentialDeviceType: "singleDevice", credentialBackedUp: false },
  });
  return { userId, ...key, sessionToken: `session-${name}`, credentialID };
}

/** What is read: a question to the database each. */
function reads(adapter: Adapter, person: Awaited<ReturnType<typeof addPerson>>) {
  const { userId, sessionToken, credentialID, provider, providerAccountId } = person;
  return {
    getUser: () => adapter.getUser?.(userId),
    getUserByEmail: () => adapter.getUserByEmail?.(`${providerAccountId}@example.com`),
    getUserByAccount: () => adapter.getUserByAccount?.({ provider, providerAccountId }),
    getAccount: () => adapter.getAccount?.(providerAccountId, provider),
    getSessionAndUser: () => adapter.getSessionAndUser?.(sessionToken),
    getAuthenticator: () => adapter.getAuthenticator?.(credentialID),
    listAccountsByUserId: () => adapter.listAccountsByUserId?.(userId),
    listSessionsByUserId: () => adapter.listSessionsByUserId?.(userId),
    listAuthenticatorsByUserId: () => adapter.listAuthenticatorsByUserId?.(userId),
    getSessionInfo: () => adapter.getSessionInfo?.("hash"),
    listCredentialsByUserId: () => adapter.listCredentialsByUserId?.(userId),
    "store.get": () => adapter.store?.get("key"),
    "store.log.since": () => adapter.store?.log?.since("log", null),
  };
}

describe.each(Object.entries(databases))("DrizzleAdapter() on %s", (name, database) => {
  const open = () => {
    if (database === undefined) throw new Error("There is no database.");
    return database;
  };

  it.skipIf(database === undefined)("reads with one statement each, a session with its user", async () => {
    const { adapter, statements } = open();
    const person = await addPerson(adapter, "once");
    for (const [method, read] of Object.entries(reads(adapter, person))) {
      statements();
      await read();
      expect({ method, statements: statements().length }).toEqual({ method, statements: 1 });
    }
  });

  it.skipIf(database === undefined)(
    "changes with one statement each, where the database returns what it wrote",
    async () => {
      const { adapter, statements } = open();
      const { userId, sessionToken, credentialID, ...key } = await addPerson(adapter, "changed");
      await adapter.createVerificationToken?.({ identifier: "ann", token: "hash", expires });
      const writes = {
        updateUser: () => adapter.updateUser?.({ id: userId, name: "Once" }),
        updateAccount: () => adapter.updateAccount?.({ ...key, access_token: "b" }),
        swapAccountTokens: () =>
          adapter.swapAccountTokens?.({ ...key, expected: null, tokens: { refresh_token: "r" } }),
        updateSession: () => adapter.updateSession?.({ sessionToken, expires }),
        updateAuthenticatorCounter: () => adapter.updateAuthenticatorCounter?.(credentialID, 1),
        useVerificationToken: () => adapter.useVerificationToken?.({ identifier: "ann", token: "hash" }),
        deleteSession: () => adapter.deleteSession?.(sessionToken),
        deleteSessionsByUserId: () => adapter.deleteSessionsByUserId?.(userId),
        unlinkAccount: () => adapter.unlinkAccount?.(key),
        "store.add": async () => (await adapter.store?.add("counter", 1, { ttl: null }))?.value,
      };
      await adapter.store?.add("counter", 1, { ttl: null });
      const sent: Record<string, number> = {};
      for (const [method, write] of Object.entries(writes)) {
        statements();
        await write();
        sent[method] = statements().length;
      }
      const more =
        name === "MariaDB" ? ["updateUser", "updateAccount", "updateSession", "updateAuthenticatorCounter"] : [];
      const two = name === "MariaDB" ? [...more, "useVerificationToken", "deleteSession"] : [];
      expect(sent).toEqual({
        ...Object.fromEntries(Object.keys(writes).map((method) => [method, two.includes(method) ? 2 : 1])),
        // A transaction of two.
        ...(name === "MariaDB" ? { "store.add": 4 } : {}),
      });
    },
  );

  it.skipIf(database === undefined)("gives back the session that it ended, and how many", async () => {
    const { adapter } = open();
    const { userId, sessionToken } = await addPerson(adapter, "ended");
    expect(await adapter.deleteSession?.(sessionToken)).toEqual({ userId, sessionToken, expires });
    expect(await adapter.deleteSession?.(sessionToken)).toBeNull();
    await adapter.createSession?.({ userId, sessionToken, expires });
    expect(await adapter.deleteSessionsByUserId?.(userId)).toBe(1);
  });

  it.skipIf(database === undefined)("rejects what no row is there for", async () => {
    const { adapter } = open();
    await expect(adapter.updateUser?.({ id: "unknown", name: "x" })).rejects.toThrow("No user");
    await expect(adapter.updateAuthenticatorCounter?.("nothing", 1)).rejects.toThrow("No authenticator");
  });

  it.skipIf(database === undefined)("writes no value of a failed query into its error", async () => {
    const { adapter } = open();
    const { userId, sessionToken } = await addPerson(adapter, "secretive");
    const again = async () => adapter.createSession?.({ userId, sessionToken, expires });
    const error: unknown = await again().catch((reason: unknown) => reason);
    if (name !== "SQLite") expect(error).toBeInstanceOf(DrizzleQueryError);
    const codes = { PostgreSQL: "23505", MariaDB: "ER_DUP_ENTRY", libSQL: "SQLITE_CONSTRAINT" };
    const code: unknown = Reflect.get(codes, name);
    if (code !== undefined) expect(error).toMatchObject({ cause: { code } });
    const texts = [error, Reflect.get(Object(error), "cause")].flatMap((one) => {
      const members = Object(one);
      return [members.message, members.stack, ...Object.values(members).map((value) => JSON.stringify(value))];
    });
    expect(texts.filter((text) => String(text).includes(sessionToken))).toEqual([]);
  });

  it.skipIf(database === undefined)("deletes a user's rows with the user, and no one else's", async () => {
    const { adapter } = open();
    const [gone, kept] = [await addPerson(adapter, "gone"), await addPerson(adapter, "kept")];
    await adapter.deleteUser?.(gone.userId);
    for (const [person, length] of [
      [gone, 0],
      [kept, 1],
    ] as const) {
      expect(await adapter.listAccountsByUserId?.(person.userId)).toHaveLength(length);
      expect(await adapter.listSessionsByUserId?.(person.userId)).toHaveLength(length);
      expect(await adapter.listAuthenticatorsByUserId?.(person.userId)).toHaveLength(length);
    }
  });

  it.skipIf(database === undefined).each([undefined, null, 1, { not: "" }, ["a"], { getSQL: () => "true" }])(
    "asks the database for nothing when asked for %j",
    async (value) => {
      const { adapter, statements } = open();
      const key = { provider: "example", providerAccountId: value };
      const attempts: readonly (readonly [keyof Adapter, ...unknown[]])[] = [
        ["getUser", value],
        ["getUserByEmail", value],
        ["getUserByAccount", key],
        ["updateUser", { id: value, name: "x" }],
        ["deleteUser", value],
        ["unlinkAccount", key],
        ["getAccount", value, "example"],
        ["listAccountsByUserId", value],
        ["updateAccount", { ...key, access_token: "x" }],
        ["getSessionAndUser", value],
        ["updateSession", { sessionToken: value, expires }],
        ["deleteSession", value],
        ["listSessionsByUserId", value],
        ["deleteSessionsByUserId", value],
        ["useVerificationToken", { identifier: "guarded", token: value }],
        ["useVerificationToken", { identifier: value, token: "token" }],
        ["getAuthenticator", value],
        ["listAuthenticatorsByUserId", value],
        ["updateAuthenticatorCounter", value, 9],
        ["getSessionInfo", value],
        ["deleteSessionInfosByUserId", value],
        ["deleteCredential", value],
      ];
      statements();
      for (const [method, ...args] of attempts) {
        const call = async () => Reflect.apply(Object(adapter[method]), adapter, args);
        await expect(call).rejects.toThrow(TypeError);
      }
      expect(statements()).toEqual([]);
    },
  );
});

describe("DrizzleAdapter()", () => {
  it("refuses what is no database of Drizzle, and says what it was given", () => {
    expect(() => DrizzleAdapter({ execute: () => undefined })).toThrow("the result of drizzle()");
  });
});
