/** Databases compare ids in their own way; the account of one id is not that of another that compares equal there. */

import type { Adapter } from "@cardea/core/adapters";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";

/** An adapter of Auth.js whose database compares ids in this way. */
function comparing(memory: MemoryAdapter, isEqual: (one: string, other: string) => boolean): Adapter {
  const { createUserWithAccount, listAccountsByUserId, ...adapter } = memory.adapter;
  const find = (id: string, provider: string) =>
    memory.snapshot().accounts.find((one) => one.provider === provider && isEqual(one.providerAccountId, id)) ?? null;
  return {
    ...adapter,
    getAccount: async (id, provider) => find(id, provider),
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const account = find(providerAccountId, provider);
      return account && adapter.getUser(account.userId);
    },
  };
}

const byFolding = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const byNumber = (one: string, other: string) => Number(one) === Number(other);
const byBeginning = (one: string, other: string) => one.slice(0, 191) === other.slice(0, 191);
const byKey = (one: string, other: string) => one.split("?")[0] === other.split("?")[0];

const CASES = [
  ["the case of letters", "ABC", "abc", byFolding],
  ["leading zeros in a column of numbers", "7", "007", byNumber],
  ["numbers that a double cannot tell apart", "9007199254740993", "9007199254740992", byNumber],
  ["what does not fit into the column", `${"x".repeat(200)}1`, `${"x".repeat(200)}2`, byBeginning],
  ["what a store drops from its keys", "https://id.example/?1", "https://id.example/?2", byKey],
] as const;

const setUp = (strategy: "jwt" | "database", isEqual: (typeof CASES)[number][3]) => {
  const memory = createMemoryAdapter();
  const app = setUpDatabase({ memory, strategy, mayFail: true, config: { adapter: comparing(memory, isEqual) } });
  const signInAs = (sub: string, email: string) => {
    app.op.user = { sub, email, email_verified: true };
    return app.signInWithOp();
  };
  return { memory, app, signInAs };
};

describe.each(CASES)("a database that ignores %s", (_name, victim, attacker, isEqual) => {
  it.each(["jwt", "database"] as const)("does not sign in to the user of another id, %s sessions", async (strategy) => {
    const { memory, app, signInAs } = setUp(strategy, isEqual);
    await signInAs(victim, "victim@example.com");
    await app.signOut();
    const before = memory.snapshot();
    expect((await signInAs(attacker, "mallory@example.com")).url).toContain("error=Configuration");
    expect(await app.session()).toBeNull();
    expect(memory.snapshot()).toEqual(before);
    expect(app.logs.filter(({ level }) => level === "error").map(({ values }) => String(values[0]))).toEqual([
      expect.stringContaining("the account of another id"),
    ]);
    await signInAs(victim, "victim@example.com");
    expect(await app.session()).toMatchObject({ user: { email: "victim@example.com" } });
  });

  it("does not link the account of another id to a signed-in user", async () => {
    const { memory, app, signInAs } = setUp("database", isEqual);
    await signInAs(victim, "victim@example.com");
    await app.signOut();
    await app.ask("mallory@example.com");
    await app.open();
    const before = memory.snapshot().accounts;
    await signInAs(attacker, "mallory@example.com");
    expect(memory.snapshot().accounts).toEqual(before);
    expect(await app.session()).toMatchObject({ user: { email: "mallory@example.com" } });
  });
});

it("an account whose id the database stores as a number signs in", async () => {
  const memory = createMemoryAdapter();
  const adapter = comparing(memory, byNumber);
  // A cast: the column has another type than declared.
  const toRow = (id: string) => Number(id) as unknown as string;
  const getAccount: Adapter["getAccount"] = async (id, provider) => {
    const account = (await adapter.getAccount?.(id, provider)) ?? null;
    return account && { ...account, providerAccountId: toRow(account.providerAccountId) };
  };
  const app = setUpDatabase({ memory, config: { adapter: { ...adapter, getAccount } } });
  app.op.user = { sub: "4711", email: "ada@example.com" };
  await app.signInWithOp();
  await app.signOut();
  await app.signInWithOp();
  expect(await app.session()).toMatchObject({ user: { email: "ada@example.com" } });
});

it("an adapter that compares exactly, or cannot read an account, is asked no more than before", async () => {
  for (const name of ["createUserWithAccount", "getAccount"] as const) {
    const memory = createMemoryAdapter();
    const { [name]: kept, ...others } = memory.adapter;
    const adapter = name === "getAccount" ? others : memory.adapter;
    const app = setUpDatabase({ memory, config: { adapter } });
    await app.signInWithOp();
    expect([typeof kept, memory.calls.filter(({ method }) => method === "getAccount")]).toEqual(["function", []]);
  }
});
