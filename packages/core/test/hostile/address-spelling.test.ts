/** Databases compare text in their own way; anyone who owns one mailbox does not own another that compares equal there. */

import type { Adapter, AdapterUser } from "@cardea/core/adapters";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE } from "../harness/harness.ts";
import { setUpPasskeys } from "../harness/passkey-app.ts";
import { ADDRESS } from "../harness/planted.ts";

type Comparison = (asked: string, stored: string) => boolean;

/** `utf8mb4_0900_ai_ci` and its like. */
const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const byFolding: Comparison = (asked, stored) => fold(asked) === fold(stored);

/** `ILIKE` with the address as its pattern. */
const byPattern: Comparison = (asked, stored) => {
  const pattern = asked
    .replace(/[.+*?^${}()|[\]\\]/g, "\\$&")
    .replace(/%/g, ".*")
    .replace(/_/g, ".");
  return new RegExp(`^${pattern}$`, "i").test(stored);
};

function comparing(memory: MemoryAdapter, isEqual: Comparison): Adapter {
  const find = (email: string) => memory.snapshot().users.find((user) => isEqual(email, user.email ?? "")) ?? null;
  return { ...memory.adapter, getUserByEmail: async (email) => find(email) };
}

const seeded = (email: string): MemoryAdapter => {
  const user: AdapterUser = { id: "victim", name: "Victim", email, emailVerified: new Date(1e12), image: null };
  return createMemoryAdapter({ seed: { users: [user] } });
};

const CASES = [
  ["a collation that ignores accents", "víctim@example.com", byFolding],
  ["a pattern with one wildcard", "v_ctim@example.com", byPattern],
  ["a pattern that matches everything before the domain", "%@example.com", byPattern],
] as const;

describe.each(CASES)("a database that finds another user: %s", (_name, address, isEqual) => {
  it.each(["jwt", "database"] as const)("does not sign in to that user by e-mail, %s sessions", async (strategy) => {
    const memory = seeded(ADDRESS);
    const app = setUpDatabase({ memory, strategy, config: { adapter: comparing(memory, isEqual) } });
    await app.ask(address);
    await app.open();
    expect(await app.session()).toMatchObject({ user: { email: address } });
    expect(memory.snapshot().users).toHaveLength(2);
    expect(memory.snapshot().users[0]).toMatchObject({ id: "victim", emailVerified: new Date(1e12) });
  });

  it("does not link an account to that user by e-mail", async () => {
    const memory = seeded(ADDRESS);
    const provider = { allowDangerousEmailAccountLinking: true };
    const app = setUpDatabase({ memory, provider, config: { adapter: comparing(memory, isEqual) } });
    app.op.user = { sub: "mallory", email: address, email_verified: true };
    await app.signInWithOp();
    expect(memory.snapshot().accounts.map(({ userId }) => userId)).not.toContain("victim");
  });

  it("does not name that user's passkeys for another address", async () => {
    const memory = seeded(ADDRESS);
    const app = setUpPasskeys({ memory, config: { adapter: comparing(memory, isEqual) } });
    await app.options(`action=authenticate&email=${encodeURIComponent(address)}`);
    const asked = memory.calls.filter(({ method }) => method === "listAuthenticatorsByUserId");
    expect(asked.map(({ args }) => args[0])).not.toContain("victim");
  });
});

it("a user whose address is stored in another case, as the application typed it, signs in", async () => {
  const memory = seeded("Victim@EXAMPLE.com");
  const app = setUpDatabase({ memory, config: { adapter: comparing(memory, byFolding) } });
  await app.ask(ADDRESS);
  await app.open();
  expect(await app.session()).toMatchObject({ user: { name: "Victim" } });
  expect(memory.snapshot().users).toHaveLength(1);
});

it("a user whose address the adapter does not show signs in", async () => {
  const memory = seeded(ADDRESS);
  const hide = (user: AdapterUser): AdapterUser => ({ ...user, email: "c2VhbGVk" });
  const adapter: Adapter = {
    ...memory.adapter,
    getUserByEmail: async (email) => {
      const user = await memory.adapter.getUserByEmail(email);
      return user && hide(user);
    },
    updateUser: async (user) => hide(await memory.adapter.updateUser(user)),
  };
  const app = setUpDatabase({ memory, config: { adapter } });
  await app.post(`${BASE}/signin/email`, { email: ADDRESS });
  await app.open();
  expect(await app.session()).toMatchObject({ user: { name: "Victim" } });
});

describe.each([null, ""])(
  "a database whose index of addresses still leads to a user who removed theirs: %j",
  (email) => {
    const stale = () => {
      const memory = seeded(ADDRESS);
      const getUserByEmail = async (address: string) => {
        const [victim, ...others] = memory.snapshot().users;
        const holder = others.find((user) => user.email === address);
        return holder ?? (address === ADDRESS && victim ? { ...victim, email } : null);
      };
      return { memory, adapter: { ...memory.adapter, getUserByEmail } };
    };

    it("does not sign in to that user by e-mail", async () => {
      const { memory, adapter } = stale();
      await memory.adapter.updateUser({ id: "victim", email: "elsewhere@example.com" });
      const app = setUpDatabase({ memory, config: { adapter } });
      await app.ask(ADDRESS);
      await app.open();
      expect(await app.session()).toMatchObject({ user: { email: ADDRESS, name: null } });
      expect(memory.snapshot().users).toHaveLength(2);
    });

    it("does not link an account to that user by e-mail", async () => {
      const { memory, adapter } = stale();
      const provider = { allowDangerousEmailAccountLinking: true };
      await memory.adapter.updateUser({ id: "victim", email: "elsewhere@example.com" });
      const app = setUpDatabase({ memory, provider, config: { adapter } });
      app.op.user = { sub: "mallory", email: ADDRESS, email_verified: true };
      await app.signInWithOp();
      expect(memory.snapshot().accounts.map(({ userId }) => userId)).toEqual(["user-1"]);
    });
  },
);
