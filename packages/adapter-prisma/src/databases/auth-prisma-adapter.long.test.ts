// `@auth/prisma-adapter` as it comes from npm, and tables that were made for it.
import { PrismaAdapter as AuthPrismaAdapter } from "@auth/prisma-adapter";
import type { Adapter } from "@cardea/core/adapters";
import { type AdapterContractOptions, adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { authjsModels } from "./authjs-models.ts";
import { openSqlite } from "./sqlite.ts";

const database = await openSqlite({ models: authjsModels });
afterAll(() => database.close());

const theirs: Adapter = AuthPrismaAdapter(database.client);
const ours = PrismaAdapter(database.client);

describe("PrismaAdapter() on tables made for @auth/prisma-adapter", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: ours }), { racers: 8, lacks: ["updateAuthenticator"] });

  it.each([
    { name: "what @auth/prisma-adapter wrote", writer: theirs, reader: ours },
    { name: "what @auth/prisma-adapter then reads", writer: ours, reader: theirs },
  ])("reads and writes $name", async ({ name, writer, reader }) => {
    const email = `${name.replaceAll(" ", "-")}@example.com`;
    const expires = new Date("2100-01-01T00:00:00.123Z");
    const user = await writer.createUser?.({ id: "", name: "Ann", email, emailVerified: expires, image: null });
    const userId = user?.id ?? "";
    const key = { provider: "example", providerAccountId: email };
    await writer.linkAccount?.({ userId, type: "oidc", ...key, access_token: "a", expires_at: 1 });
    await writer.createSession?.({ sessionToken: email, userId, expires });
    await writer.createVerificationToken?.({ identifier: email, token: "hash", expires });
    const passkey = { credentialPublicKey: "k", counter: 1, credentialDeviceType: "d", credentialBackedUp: true };
    await writer.createAuthenticator?.({ credentialID: email, userId, providerAccountId: email, ...passkey });

    expect(await reader.getUser?.(userId)).toEqual(user);
    expect(await reader.getUserByEmail?.(email)).toEqual(user);
    expect(await reader.getUserByAccount?.(key)).toEqual(user);
    expect(await reader.getAccount?.(email, "example")).toMatchObject({ userId, access_token: "a", expires_at: 1 });
    expect(await reader.getSessionAndUser?.(email)).toMatchObject({ user, session: { userId, expires } });
    expect(await reader.getAuthenticator?.(email)).toMatchObject({ userId, ...passkey });
    const used = await reader.useVerificationToken?.({ identifier: email, token: "hash" });
    expect(used).toEqual({ identifier: email, token: "hash", expires });
  });
});

describe("adapterContract() of @auth/prisma-adapter", () => {
  // It rejects when the row is not there.
  const breaks = [
    "deletes a missing user without an error",
    "deletes a user several times concurrently without an error",
    "unlinks a missing account without an error",
    "does not recreate a deleted session",
    "deletes a missing session without an error",
    "deletes a session several times concurrently without an error",
    "unlinks an account several times concurrently without an error",
    "does not recreate a session that is renewed while it is deleted",
    // Its counter follows the last writer.
    "ends with the greatest of several counters that are stored concurrently",
  ];
  const lacks: AdapterContractOptions["lacks"] = [
    ...(["createUserWithAccount", "listAccountsByUserId", "updateAccount", "swapAccountTokens"] as const),
    ...(["listSessionsByUserId", "deleteSessionsByUserId"] as const),
    ...(["createSessionInfo", "getSessionInfo", "updateSessionInfo", "listSessionInfosByUserId"] as const),
    ...(["deleteSessionInfosByUserId", "createCredential", "listCredentialsByUserId", "updateCredential"] as const),
    ...(["deleteCredential", "removeSignInMethod", "updateAuthenticator", "extraAccountMembers"] as const),
  ];
  const framework = {
    describe,
    expect,
    it: (name: string, body: () => Promise<void>) =>
      breaks.includes(name) ? it.fails(name, () => body()) : it(name, () => body()),
  };
  adapterContract(framework, () => ({ adapter: theirs }), { lacks, racers: 8 });
});
