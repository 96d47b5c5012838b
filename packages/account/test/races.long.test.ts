import { KyselyAdapter } from "@cardea/adapter-kysely";
import { createAuth } from "@cardea/core";
import { type Adapter, memoryStore } from "@cardea/core/adapters";
import { Password } from "@cardea/providers-password";
import { Passkey } from "@cardea/providers-webauthn";
import { afterAll, describe, expect, it } from "vitest";
import { openMariadb } from "../../adapter-kysely/src/databases/mariadb.ts";
import { openPostgres } from "../../adapter-kysely/src/databases/postgres.ts";
import { openSqlite } from "../../adapter-kysely/src/databases/sqlite.ts";
import { whereReachable } from "../../testing/src/served-databases.ts";
import { account, accountOf, type RemovedMethod } from "../src/index.ts";

const RACES = 100;

const oauth = (id: string) => ({
  ...({ id, name: id, type: "oauth", clientId: "app", clientSecret: "secret" } as const),
  ...{
    authorization: `https://${id}.example/a`,
    token: `https://${id}.example/t`,
    userinfo: `https://${id}.example/u`,
  },
});

/** Two processes of an application: each has its own memory, and connections of its own where the database is on a server. */
function startProcesses(adapters: readonly Adapter[]) {
  const store = memoryStore();
  return adapters.map((adapter) =>
    accountOf(
      createAuth({
        ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, adapter, store },
        logger: { error: () => {}, warn: () => {} },
        providers: [oauth("github"), oauth("gitlab"), Passkey(), Password({ mail: () => {} })],
        extensions: [account({ mail: () => {} })],
        experimental: { enableWebAuthn: true },
      }),
    ),
  );
}

/** Adds a user with two ways to sign in; resolves with what removes them. */
async function addUser(adapter: Adapter, kinds: readonly string[]) {
  const email = `${crypto.randomUUID()}@example.com`;
  const { id: userId } = (await adapter.createUser?.({ id: "", email, emailVerified: null })) ?? { id: "" };
  const methods: RemovedMethod[] = [];
  for (const kind of kinds) {
    const id = crypto.randomUUID();
    if (kind === "password") {
      const row = { userId, type: "password", secret: "hash", createdAt: new Date(), state: null };
      await adapter.createCredential?.(row);
      methods.push({ password: true });
    } else if (kind === "passkey") {
      await adapter.linkAccount?.({ userId, type: "webauthn", provider: "passkey", providerAccountId: id });
      await adapter.createAuthenticator?.({
        ...{ userId, credentialID: id, providerAccountId: id, credentialPublicKey: "k", counter: 0 },
        ...{ credentialDeviceType: "singleDevice", credentialBackedUp: false, transports: null },
      });
      methods.push({ passkey: id });
    } else {
      await adapter.linkAccount?.({ userId, type: "oauth", provider: kind, providerAccountId: id });
      methods.push({ provider: kind, providerAccountId: id });
    }
  }
  return { userId, methods };
}

const databases = {
  PostgreSQL: await whereReachable("PostgreSQL", () => openPostgres()),
  MariaDB: await whereReachable("MariaDB", () => openMariadb()),
  SQLite: await openSqlite(),
};
afterAll(() => Promise.all(Object.values(databases).map((database) => database?.close())));

describe.each(Object.entries(databases))("a hundred races on %s", (_name, database) => {
  it.skipIf(database === undefined).each([
    ["two accounts", ["github", "gitlab"]],
    ["an account and a passkey", ["github", "passkey"]],
    ["an account and the password", ["github", "password"]],
    ["a passkey and the password", ["passkey", "password"]],
  ])("that remove %s never remove both", async (_what, kinds) => {
    if (database === undefined) return;
    const adapter = KyselyAdapter(database.db);
    const isServer = database.db !== databases.SQLite.db;
    const processes = startProcesses([adapter, isServer ? KyselyAdapter(database.another()) : adapter]);
    const outcomes = new Map<string, number>();
    for (let n = 0; n < RACES; n++) {
      const { userId, methods } = await addUser(adapter, kinds);
      const both = await Promise.all(methods.map((method, at) => processes[at]?.unlink(userId, method)));
      const outcome = [...both].sort().join(", ");
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(Object.fromEntries(outcomes)).toEqual({ "last, removed": RACES });
  });
});
