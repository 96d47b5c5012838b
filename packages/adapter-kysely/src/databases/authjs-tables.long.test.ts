// `@auth/kysely-adapter` as it comes from npm, tables that were made for it, and ours.
import { KyselyAdapter as AuthKyselyAdapter } from "@auth/kysely-adapter";
import type { Adapter, AdapterMethod } from "@cardea/core/adapters";
import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { scratchPglite } from "../../../testing/src/scratch-pglite.ts";
import type { Database, KyselyAuth } from "../database.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { AUTHJS_POSTGRES } from "./authjs-tables.ts";
import { openPglite } from "./pglite.ts";
import { openSqlite } from "./sqlite.ts";

const made = {
  theirs: await openPglite(await scratchPglite(), AUTHJS_POSTGRES),
  ours: await openPglite(await scratchPglite("second")),
  sqlite: await openSqlite(),
};
afterAll(async () => {
  for (const database of Object.values(made)) await database.close();
});

function theirsOn(db: KyselyAuth<Database>): Adapter {
  return AuthKyselyAdapter(assumeTheirs(db));
}

/** A cast: their interface of the four tables has the records of their core. */
function assumeTheirs(db: object) {
  return db as Parameters<typeof AuthKyselyAdapter>[0];
}

const pairs = Object.entries({
  "tables of its documentation in PostgreSQL": made.theirs.db,
  "tables of this package in PostgreSQL": made.ours.db,
  "tables of this package in SQLite": made.sqlite.db,
}).flatMap(([tables, db]) => {
  const [ours, theirs] = [KyselyAdapter(db), theirsOn(db)];
  return [
    { tables, direction: "it wrote and ours reads", writer: theirs, reader: ours },
    { tables, direction: "ours wrote and it reads", writer: ours, reader: theirs },
  ];
});

describe("@auth/kysely-adapter and KyselyAdapter()", () => {
  it.each(pairs)("share the $tables: $direction", async ({ tables, direction, writer, reader }) => {
    const email = `${`${tables} ${direction}`.replaceAll(/\W+/g, "-")}@example.com`;
    const expires = new Date("2100-01-01T00:00:00.123Z");
    const draft = { id: "", name: "Ann", email, emailVerified: expires, image: null };
    const { id: userId = "" } = (await writer.createUser?.(draft)) ?? {};
    const user = { ...draft, id: userId };
    const key = { provider: "example", providerAccountId: email };
    await writer.linkAccount?.({ userId, type: "oidc", ...key, access_token: "a", expires_at: 4_294_967_296 });
    await writer.createSession?.({ sessionToken: email, userId, expires });
    await writer.createVerificationToken?.({ identifier: email, token: email, expires });

    expect(await reader.getUser?.(userId)).toEqual(user);
    expect(await reader.getUserByEmail?.(email)).toEqual(user);
    expect(await reader.getUserByAccount?.(key)).toEqual(user);
    expect(await reader.getSessionAndUser?.(email)).toEqual({
      user,
      session: { sessionToken: email, userId, expires },
    });
    const later = new Date("2100-01-02T00:00:00.000Z");
    await reader.updateSession?.({ sessionToken: email, expires: later });
    expect((await writer.getSessionAndUser?.(email))?.session.expires).toEqual(later);
    const used = await reader.useVerificationToken?.({ identifier: email, token: email });
    expect(used).toMatchObject({ identifier: email, token: email, expires });
    await reader.deleteUser?.(userId);
    expect(await writer.getSessionAndUser?.(email)).toBeNull();
    expect(await writer.getUserByAccount?.(key)).toBeNull();
  });
});

describe("KyselyAdapter() on the tables of @auth/kysely-adapter", () => {
  const absent: readonly AdapterMethod[] = [
    ...(["createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId"] as const),
    ...(["updateAuthenticatorCounter", "updateAuthenticator"] as const),
    ...(["createSessionInfo", "getSessionInfo", "updateSessionInfo"] as const),
    ...(["listSessionInfosByUserId", "deleteSessionInfosByUserId", "createCredential"] as const),
    ...(["listCredentialsByUserId", "updateCredential", "deleteCredential", "removeSignInMethod"] as const),
  ];
  const all = Object.entries(KyselyAdapter(made.theirs.db));
  const adapter: Adapter = Object.fromEntries(all.filter(([name]) => !absent.some((one) => one === name)));
  const lacks = [...absent, "uniqueKeys", "usersWithoutEmail"] as const;
  adapterContract({ describe, it, expect }, () => ({ adapter }), { lacks, racers: 8 });

  it("links an account once with the index that docs/kysely.md adds", async () => {
    const { db } = made.theirs;
    await db.schema
      .createIndex("Account_provider_key")
      .unique()
      .on("Account")
      .columns(["provider", "providerAccountId"])
      .execute();
    const email = () => `${crypto.randomUUID()}@example.com`;
    const account = { type: "oauth", provider: "example", providerAccountId: crypto.randomUUID() } as const;
    const attempts = Array.from({ length: 50 }, () =>
      adapter.createUserWithAccount?.({ id: "", email: email(), emailVerified: null }, account),
    );
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("adapterContract() of @auth/kysely-adapter on the tables of this package", () => {
  // It rejects when the session is not there.
  const breaks = [
    "does not recreate a deleted session",
    "does not recreate a session that is renewed while it is deleted",
  ];
  const ours: readonly AdapterMethod[] = [
    ...(["createUserWithAccount", "listAccountsByUserId", "updateAccount", "swapAccountTokens", "getAccount"] as const),
    ...(["listSessionsByUserId", "deleteSessionsByUserId"] as const),
    ...(["createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId"] as const),
    ...(["updateAuthenticatorCounter", "updateAuthenticator"] as const),
    ...(["createSessionInfo", "getSessionInfo", "updateSessionInfo"] as const),
    ...(["listSessionInfosByUserId", "deleteSessionInfosByUserId", "createCredential"] as const),
    ...(["listCredentialsByUserId", "updateCredential", "deleteCredential", "removeSignInMethod"] as const),
  ];
  const framework = {
    describe,
    expect,
    it: (name: string, body: () => Promise<void>) => (breaks.includes(name) ? it.fails(name, body) : it(name, body)),
  };
  adapterContract(framework, () => ({ adapter: theirsOn(made.sqlite.db) }), {
    lacks: [...ours, "extraAccountMembers"],
    racers: 8,
  });
});
