/** Applications have stored addresses with capitals. Which user an address leads to must not depend on the collation of the database. */

import type { AdapterUser } from "@cardea/core/adapters";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE } from "../harness/harness.ts";

const userOf = (id: string, email: string): AdapterUser => ({
  id,
  name: id,
  email,
  emailVerified: new Date(1e12),
  image: null,
});

/** Compares text byte by byte, as PostgreSQL does and adapters of npm. */
const seeded = (...emails: readonly string[]): MemoryAdapter =>
  createMemoryAdapter({ seed: { users: emails.map((email, index) => userOf(`user-${index}`, email)) } });

const STORED = ["Ann@Example.com", "ANN@example.com", "ann@EXAMPLE.COM", "ann@example.com", "ann@BÜCHER.example"];

describe.each(STORED)("a user whose address is stored as %s", (stored) => {
  it.each(["jwt", "database"] as const)("signs in with a link, %s sessions", async (strategy) => {
    const memory = seeded(stored);
    const app = setUpDatabase({ memory, strategy });
    await app.ask(` ${stored} `);
    await app.open();
    expect(await app.session()).toMatchObject({ user: { name: "user-0" } });
    expect(memory.snapshot().users).toHaveLength(1);
  });

  it("keeps the address of an OAuth account", async () => {
    const memory = seeded(stored);
    const app = setUpDatabase({ memory, provider: { allowDangerousEmailAccountLinking: true } });
    app.op.user = { sub: "ann", email: stored, email_verified: true };
    await app.signInWithOp();
    expect(memory.snapshot().accounts.map(({ userId }) => userId)).toEqual(["user-0"]);
    expect(memory.snapshot().users).toHaveLength(1);
  });

  it("who never proved it decides first, and can take the address", async () => {
    const memory = createMemoryAdapter({ seed: { users: [{ ...userOf("planted", stored), emailVerified: null }] } });
    const app = setUpDatabase({ memory });
    await app.ask(stored);
    await app.open();
    expect(await app.session()).toBeNull();
    await app.post(`${BASE}/confirm-address`, { step: "start-fresh-confirmed" });
    expect(await app.session()).toMatchObject({ user: { name: null } });
    expect(memory.snapshot().users[0]).toMatchObject({ id: "planted", email: null });
  });
});

describe("two users whose addresses differ in case alone", () => {
  const twins = ["ann@example.com", "Ann@Example.com"];

  it("are named, and neither is signed in by e-mail", async () => {
    const memory = seeded(...twins);
    const app = setUpDatabase({ memory });
    await app.ask("Ann@Example.com");
    expect(app.mails).toEqual([]);
    expect(app.logs.map(({ text }) => text).join("\n")).toMatch(/"user-1" and "user-0" differ in case alone/);
    expect(memory.snapshot().users).toHaveLength(2);
  });

  it("are named, and neither gets an account", async () => {
    const memory = seeded(...twins);
    const app = setUpDatabase({ memory, provider: { allowDangerousEmailAccountLinking: true } });
    app.op.user = { sub: "ann", email: "Ann@Example.com", email_verified: true };
    await app.signInWithOp();
    expect(memory.snapshot()).toMatchObject({ accounts: [], sessions: [] });
    expect(app.logs.map(({ text }) => text).join("\n")).toContain("differ in case alone");
  });
});
