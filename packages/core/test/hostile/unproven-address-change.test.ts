/** What is proven of an address is stored beside that very address, whatever changes meanwhile. */

import type { Adapter, AdapterUser } from "@cardea/core/adapters";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, cookieHeader, ORIGIN } from "../harness/harness.ts";
import { ADDRESS, holderOf, plant } from "../harness/planted.ts";

const OWN = "mallory@evil.example";

/** The application's own form for changing an address: it is not proven afterwards. */
const move = (memory: MemoryAdapter, email: string) =>
  memory.adapter.updateUser({ id: memory.snapshot().users[0]?.id ?? "", email, emailVerified: null });

describe("a user who changes their address to someone else's while their own is being proven", () => {
  it.each(["jwt", "database"] as const)("has not proven it by a link, %s sessions", async (strategy) => {
    const user = { id: "m", name: "M", email: OWN, emailVerified: new Date(0), image: null };
    const memory = createMemoryAdapter({ seed: { users: [user] } });
    const signIn = async ({ account, email }: { account?: { type: string } | null; email?: unknown }) => {
      if (account?.type === "email" && email === undefined) await move(memory, ADDRESS);
      return true;
    };
    const app = setUpDatabase({ memory, strategy, config: { callbacks: { signIn } } });
    await app.ask(OWN);
    expect((await app.open()).redirectsTo).toContain("error=Verification");
    expect(await app.session()).toBeNull();
    expect(holderOf(memory)).toMatchObject({ id: "m", emailVerified: null });
  });

  it("has not proven it by the page, and is signed in as before", async () => {
    const memory = createMemoryAdapter();
    let moves = false;
    const useVerificationToken: Adapter["useVerificationToken"] = async (key) => {
      const row = await memory.adapter.useVerificationToken(key);
      if (moves && key.identifier.startsWith("confirm-address:")) await move(memory, "boss@example.com");
      return row;
    };
    const { planter } = await plant("account", {
      memory,
      adapterOf: ({ adapter }) => ({ ...adapter, useVerificationToken }),
    });
    await planter.post(`${BASE}/signin/email`, { email: ADDRESS });
    await planter.open();
    moves = true;
    await planter.signInWithOp();
    expect(memory.snapshot().users[0]).toMatchObject({ email: "boss@example.com", emailVerified: null });
    expect(await planter.session()).not.toBeNull();
  });

  it.each([
    ["the row", (row: AdapterUser): AdapterUser => row],
    ["nothing", () => undefined as unknown as AdapterUser],
  ])("has not proven it by their provider, with an adapter whose updateUser returns %s", async (_what, answer) => {
    const memory = createMemoryAdapter();
    let moves = false;
    const updateUser: Adapter["updateUser"] = async (change) => {
      if (moves) {
        moves = false;
        await move(memory, "boss@example.com");
      }
      return answer(await memory.adapter.updateUser(change));
    };
    const { planter } = await plant("account", { memory, adapterOf: ({ adapter }) => ({ ...adapter, updateUser }) });
    await planter.signOut();
    planter.op.user = { sub: "mallory", email: ADDRESS, email_verified: true };
    moves = true;
    await planter.signInWithOp();
    expect(memory.snapshot().users[0]).toMatchObject({ email: "boss@example.com", emailVerified: null });
    expect(await planter.session()).not.toBeNull();
  });
});

describe("a user whose address is changed and verified while the former one is being proven", () => {
  it.each(["jwt", "database"] as const)("keeps the mark of the new one, %s sessions", async (strategy) => {
    const user = { id: "a", name: "A", email: ADDRESS, emailVerified: new Date(0), image: null };
    const memory = createMemoryAdapter({ seed: { users: [user] } });
    const next = { id: "a", email: "new@example.com", emailVerified: new Date() };
    const signIn = async ({ email }: { email?: unknown }) => {
      if (email === undefined) await memory.adapter.updateUser(next);
      return true;
    };
    const app = setUpDatabase({ memory, strategy, config: { callbacks: { signIn } } });
    await app.ask(ADDRESS);
    expect((await app.open()).redirectsTo).toContain("error=Verification");
    expect(memory.snapshot().users).toMatchObject([next]);
  });
});

describe("the page for one of several proofs", () => {
  it("is not hidden by a cookie of the same name that another host of the site set", async () => {
    const { owner, prove } = await plant("account");
    await prove();
    for (const bogus of ["bogus", ""]) {
      const cookie = `__Host-cardea.address=${bogus}; ${cookieHeader(owner.browser)}`;
      const page = await owner.send(`${BASE}/confirm-address`, { headers: { cookie } });
      expect(await page.text()).toContain(ADDRESS);
    }
  });

  it("starts fresh for the address that it showed, and for no other", async () => {
    const { owner, memory, prove } = await plant("account");
    const other = { id: "", name: "Other", email: "other@example.com", emailVerified: null };
    await memory.adapter.createUser(other);
    await prove();
    const page = await owner.browser.navigate(`${BASE}/confirm-address`);
    const again = await owner.browser.submit(page, { button: "Start fresh" });
    await owner.post(`${BASE}/signin/email`, { email: other.email, callbackUrl: "/dash" });
    expect((await owner.open()).redirectsTo).toBe(`${ORIGIN}${BASE}/confirm-address`);
    const before = memory.snapshot();
    const shown = await owner.browser.submit(again, { button: "Create a new account" });
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain(other.email);
    expect(memory.snapshot()).toEqual(before);
  });
});

/** A database without a unique key on the address. */
function withoutUniqueKey({ adapter }: MemoryAdapter): { adapter: Adapter; having: (email: string) => string[] } {
  const addresses = new Map<string, string | null>();
  const show = (user: AdapterUser): AdapterUser => Object.assign(user, { email: addresses.get(user.id) ?? null });
  const hide = (user: AdapterUser) => ({ ...user, email: `${crypto.randomUUID()}@hidden.example` });
  const keep = (user: AdapterUser, { email }: AdapterUser) => {
    addresses.set(user.id, email ?? null);
    return show(user);
  };
  const having = (email: string) => [...addresses].filter(([, one]) => one === email).map(([id]) => id);
  const one = async (id: string | undefined) => {
    const user = id === undefined ? null : await adapter.getUser(id);
    return user && show(user);
  };
  const methods: Adapter = {
    ...adapter,
    createUser: async (user) => keep(await adapter.createUser(hide(user)), user),
    createUserWithAccount: async (user, ...rest) =>
      keep(await adapter.createUserWithAccount(hide(user), ...rest), user),
    getUser: one,
    getUserByEmail: (email) => one(having(email)[0]),
    getUserByAccount: async (key) => one((await adapter.getUserByAccount(key))?.id),
    updateUser: async ({ email, ...user }) => {
      if (email !== undefined) addresses.set(user.id, email);
      return show(await adapter.updateUser(user));
    },
  };
  return { adapter: methods, having };
}

describe("starting fresh against others who claim the address", () => {
  it("leaves no mark on a user whose address was verified by a sign-in at the same moment", async () => {
    const memory = createMemoryAdapter();
    const useVerificationToken: Adapter["useVerificationToken"] = async (key) => {
      const [planted] = memory.snapshot().users;
      if (key.identifier.startsWith("confirm-address:"))
        await memory.adapter.updateUser({ id: planted?.id ?? "", emailVerified: new Date() });
      return memory.adapter.useVerificationToken(key);
    };
    const planted = await plant("account", {
      memory,
      adapterOf: ({ adapter }) => ({ ...adapter, useVerificationToken }),
    });
    await planted.prove();
    expect((await planted.startFresh()).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(await memory.adapter.getUser(planted.id)).toMatchObject({ email: null, emailVerified: null });
    expect(holderOf(memory)?.emailVerified).toBeInstanceOf(Date);
  });

  it("leaves one user of the address where the database allows several", async () => {
    const memory = createMemoryAdapter();
    const { adapter, having } = withoutUniqueKey(memory);
    const planted = await plant("account", { memory, adapterOf: () => adapter });
    for (const id of ["a", "b"]) await adapter.createUser?.({ id, name: id, email: ADDRESS, emailVerified: null });
    await planted.prove();
    expect((await planted.startFresh()).redirectsTo).toBe(`${ORIGIN}/dash`);
    const [mine = "", ...others] = having(ADDRESS);
    expect(others).toEqual([]);
    expect((await adapter.getUser?.(mine))?.emailVerified).toBeInstanceOf(Date);
    await planted.owner.signOut();
    expect((await planted.prove()).redirectsTo).toBe(`${ORIGIN}/dash`);
  });

  it("succeeds while a hundred sign-ups try to take the address", async () => {
    const planted = await plant("account");
    const { memory } = planted;
    await planted.prove();
    memory.fail({ delayMs: 1, times: Number.POSITIVE_INFINITY });
    const { createUser, getUserByEmail } = memory.adapter;
    const signUps = Array.from({ length: 100 }, async (_, n) => {
      for (let tries = 0; tries < 5; tries++) {
        await new Promise((resolve) => setTimeout(resolve, (n * 7 + tries * 13) % 20));
        if ((await getUserByEmail(ADDRESS)) !== null) continue;
        await Promise.resolve(createUser({ id: "", email: ADDRESS, emailVerified: null })).catch(() => null);
      }
    });
    const done = await planted.startFresh();
    await Promise.all(signUps);
    memory.heal();
    expect(done.redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(holderOf(memory)?.emailVerified).toBeInstanceOf(Date);
  });
});

describe("a session token whose user changes their address", () => {
  /** Notes in the token what the browser sends, as applications do with what `update()` was called with. */
  const jwt = ({ token, trigger, session }: { token: object; trigger?: string | undefined; session?: unknown }) =>
    trigger === "update" ? { ...token, ...Object(session) } : token;

  function start(email?: string) {
    const memory = createMemoryAdapter();
    const app = setUpDatabase({ memory, strategy: "jwt", config: { callbacks: { jwt } } });
    app.op.user = { sub: "m", ...(email === undefined ? {} : { email, email_verified: false }) };
    const change = (to: string | null) =>
      memory.adapter.updateUser({ id: memory.snapshot().users[0]?.id ?? "", email: to });
    const update = async (data: object) =>
      app.browser.fetch(`${BASE}/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken: await app.csrfToken(), data }),
      });
    return { app, change, update };
  }

  it("stays, and names the new one", async () => {
    const { app, change, update } = start(OWN);
    await app.signInWithOp();
    await change("new@example.com");
    expect(await app.session()).toMatchObject({ user: { email: "new@example.com" } });
    await update({ seen: true });
    expect(await app.session()).toMatchObject({ user: { email: "new@example.com" } });
    await change(null);
    expect(await app.session()).toBeNull();
  });

  it("ends when a former one is noted elsewhere in it", async () => {
    const { app, change, update } = start(OWN);
    await app.signInWithOp();
    await update({ profile: { contact: OWN } });
    await change("new@example.com");
    expect(await app.session()).toBeNull();
  });

  it.each([null, "user-1@removed.invalid"])("ends with one that was added after the sign-in: %s", async (taken) => {
    const { app, change, update } = start();
    await app.signInWithOp();
    await change(ADDRESS);
    await update({ email: ADDRESS });
    expect(await app.session()).toMatchObject({ user: { email: ADDRESS } });
    await change(taken);
    expect(await app.session()).toBeNull();
  });
});
