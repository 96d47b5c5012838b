/** What adapters of npm for Auth.js do differently, each as its package does it. */

import { createHash } from "node:crypto";
import type { Adapter } from "@cardea/core/adapters";
import type { AuthConfig } from "@cardea/core/types";
import { sessions } from "@cardea/sessions";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, cookieHeader, ORIGIN } from "../harness/harness.ts";
import { ADDRESS, holderOf, npmAdapter, plant } from "../harness/planted.ts";

const errorsOf = ({ logs }: Pick<ReturnType<typeof setUpDatabase>, "logs">) =>
  logs.filter(({ level }) => level === "error").map(({ values }) => values[0]);

/** `@auth/prisma-adapter`: `delete()` rejects with P2025 if there is no such row. */
function prismaDelete(memory: MemoryAdapter): Adapter {
  return {
    ...npmAdapter(memory),
    deleteSession: async (token) => {
      const deleted = await memory.adapter.deleteSession(token);
      if (deleted === null) throw Object.assign(new Error("No record was found for a delete."), { code: "P2025" });
    },
  };
}

describe("deleteSession that rejects if the row is gone (@auth/prisma-adapter)", () => {
  const start = (config?: Partial<AuthConfig>, mayFail = false) => {
    const memory = createMemoryAdapter();
    return setUpDatabase({ memory, mayFail, config: { adapter: prismaDelete(memory), ...config } });
  };

  it.each([
    ["plain tokens", {}],
    ["hashed tokens", { extensions: [sessions({ atRest: "hashed" })] }],
  ])("signs out, and once more in a second tab: %s", async (_, config) => {
    const app = start(config);
    await app.signInWithOp();
    const jar = app.browser.cookies.snapshot();
    expect((await app.signOut()).redirectsTo).toBe(`${ORIGIN}/`);
    app.browser.cookies.restore(jar);
    expect((await app.signOut()).redirectsTo).toBe(`${ORIGIN}/`);
    expect([app.memory.snapshot().sessions, errorsOf(app)]).toEqual([[], []]);
  });

  /** Signs out in a browser that has a second session cookie. */
  const signOutOfTwo = async (app: ReturnType<typeof start>, sent: (own: string) => string) => {
    const body = new URLSearchParams({ csrfToken: await app.csrfToken() });
    const headers = { cookie: sent(cookieHeader(app.browser)), origin: ORIGIN };
    return app.send(`${BASE}/signout`, { method: "POST", headers, body });
  };

  it("ends the session of every cookie, whichever row is gone", async () => {
    const app = start();
    await app.signInWithOp();
    const { status } = await signOutOfTwo(app, (own) => `${COOKIE.session}=row-that-is-gone; ${own}`);
    expect([status, app.memory.snapshot().sessions]).toEqual([302, []]);
  });

  it("reports an outage, after every session was tried", async () => {
    const app = start({}, true);
    await app.signInWithOp();
    const [row] = app.memory.snapshot().sessions;
    if (row !== undefined) await app.memory.adapter.createSession({ ...row, sessionToken: "another-session" });
    app.memory.fail({ method: "deleteSession", throws: new Error("away") });
    const { headers } = await signOutOfTwo(app, (own) => `${own}; ${COOKIE.session}=another-session`);
    expect(headers.get("location")).toContain("error=Configuration");
    expect(app.memory.snapshot().sessions).toEqual([row]);
    expect(errorsOf(app)).toMatchObject([{ type: "SignOutError" }]);
  });
});

describe("reads from a replica that lags", () => {
  it.each([
    ["stepwise", npmAdapter],
    ["at once", ({ adapter }: MemoryAdapter): Adapter => adapter],
  ])("the session of a new user ends when the owner of the address claims it: created %s", async (_, adapterOf) => {
    let isBehind = true;
    const lagging = (memory: MemoryAdapter): Adapter => ({
      ...adapterOf(memory),
      getUser: async (id) => (isBehind ? null : memory.adapter.getUser(id)),
    });
    const planted = await plant("account", { strategy: "jwt", adapterOf: lagging });
    isBehind = false;
    expect(await planted.planter.session()).toMatchObject({ user: { email: ADDRESS } });
    await planted.prove();
    await planted.startFresh();
    expect(holderOf(planted.memory)?.id).not.toBe(planted.id);
    expect(await planted.planter.session()).toBeNull();
  });
});

/** The adapter whose results are changed: each record, and each in a list or in a session with its user. */
function returning(memory: MemoryAdapter, change: (record: object) => object): Adapter {
  const each = (result: unknown): unknown => {
    if (Array.isArray(result)) return result.map(each);
    if (typeof result !== "object" || result === null) return result;
    const { session, user }: { readonly session?: object; readonly user?: object } = result;
    return session && user ? { session: change(session), user: change(user) } : change(result);
  };
  const methods = Object.entries(npmAdapter(memory)).map(([name, method]: [string, unknown]) => {
    if (typeof method !== "function") return [name, method];
    return [name, async (...args: unknown[]) => each(await Reflect.apply(method, memory.adapter, args))];
  });
  // Every method has the parameters of the one that it wraps.
  return Object.fromEntries(methods) as Adapter;
}

/** A row of an ORM such as Mongoose or Sequelize: the columns are getters of the model's class. */
function instanceOf(columns: object): object {
  class Row {
    readonly #columns: Readonly<Record<string, unknown>> = { ...columns };
    get(name: string): unknown {
      return this.#columns[name];
    }
  }
  for (const name of Object.keys(columns))
    Object.defineProperty(Row.prototype, name, {
      get(this: Row) {
        return this.get(name);
      },
    });
  return new Row();
}

describe("records that are instances of an ORM", () => {
  it.each(["jwt", "database"] as const)("keep their members where one is changed (%s)", async (strategy) => {
    const memory = createMemoryAdapter();
    const user = await memory.adapter.createUser({ id: "", email: ADDRESS, emailVerified: null, name: "Ann" });
    const asText = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
    const row = (record: object) =>
      instanceOf(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, asText(value)])));
    const seen: unknown[] = [];
    const app = setUpDatabase({
      memory,
      strategy,
      email: { ownsAddress: () => true },
      config: {
        adapter: returning(memory, row),
        events: { updateUser: ({ user }) => void seen.push(user) },
      },
    });
    await app.ask(ADDRESS);
    await app.open();
    expect(seen).toMatchObject([{ id: user.id, name: "Ann", email: ADDRESS, emailVerified: expect.any(Date) }]);
    expect(await app.session()).toMatchObject({ user: { name: "Ann", email: ADDRESS } });
  });
});

describe("ids that are objects, as the ObjectId of MongoDB", () => {
  class ObjectId {
    readonly #hex: string;
    constructor(hex: string) {
      this.#hex = hex;
    }
    toString() {
      return this.#hex;
    }
  }

  it.each(["jwt", "database"] as const)("fail at the first call, which says what to do (%s)", async (strategy) => {
    const memory = createMemoryAdapter();
    const withObject = (record: object) =>
      "id" in record ? { ...record, id: new ObjectId(String(record.id)) } : record;
    const adapter: Adapter = {
      ...returning(memory, withObject),
      linkAccount: (account) => memory.adapter.linkAccount({ ...account, userId: String(account.userId) }),
      createSession: (session) => memory.adapter.createSession({ ...session, userId: String(session.userId) }),
    };
    const app = setUpDatabase({ memory, strategy, mayFail: true, config: { adapter } });
    await app.signInWithOp();
    expect(await app.session()).toBeNull();
    expect(errorsOf(app)[0]).toMatchObject({
      type: "AdapterError",
      cause: { err: { message: expect.stringContaining("convert an ObjectId to text") } },
    });
  });
});

describe("updateUser that ignores null as a time (@auth/supabase-adapter, @auth/surrealdb-adapter)", () => {
  it.each([
    ["returns the user", (user: object) => user],
    ["returns nothing", () => undefined],
  ])("is an error where the proof of an address must be removed: %s", async (_, result) => {
    const memory = createMemoryAdapter();
    const { id } = await memory.adapter.createUser({ id: "", email: ADDRESS, emailVerified: null });
    const updateUser = async ({ emailVerified, ...user }: Parameters<NonNullable<Adapter["updateUser"]>>[0]) => {
      // The user changes their address while the link is being opened.
      if (emailVerified) await memory.adapter.updateUser({ id, email: "other@example.com" });
      return result(await memory.adapter.updateUser({ ...user, ...(emailVerified && { emailVerified }) }));
    };
    const adapter = Object.assign(npmAdapter(memory), { updateUser });
    const app = setUpDatabase({ memory, mayFail: true, email: { ownsAddress: () => true }, config: { adapter } });
    await app.ask(ADDRESS);
    await app.open();
    expect(await app.session()).toBeNull();
    expect(errorsOf(app)).toContainEqual(
      expect.objectContaining({ type: "AdapterError", cause: expect.objectContaining({ method: "updateUser" }) }),
    );
  });
});

describe("an adapter that hashes session tokens itself", () => {
  it("has no session, and the error names the cause and the remedy", async () => {
    const memory = createMemoryAdapter();
    const hash = (token: string) => createHash("sha256").update(token).digest("hex");
    const adapter: Adapter = {
      ...npmAdapter(memory),
      createSession: (row) => memory.adapter.createSession({ ...row, sessionToken: hash(row.sessionToken) }),
      getSessionAndUser: (token) => memory.adapter.getSessionAndUser(hash(token)),
    };
    const app = setUpDatabase({ memory, mayFail: true, config: { adapter } });
    await app.signInWithOp();
    expect(await app.session()).toBeNull();
    expect(errorsOf(app)[0]).toMatchObject({
      type: "SessionTokenError",
      message: expect.stringMatching(
        /hashes or changes tokens.*must return the token that it was given.*atRest: "hashed"/,
      ),
    });
  });
});

describe("an index of addresses that is updated later (@auth/dynamodb-adapter)", () => {
  it("does not keep the owner of an address from a new user, whom the next link finds", async () => {
    let isBehind = false;
    const lagging = (memory: MemoryAdapter): Adapter => ({
      ...npmAdapter(memory),
      createUser: (user) => {
        isBehind = true;
        return memory.adapter.createUser(user);
      },
      getUserByEmail: async (email) => (isBehind ? null : memory.adapter.getUserByEmail(email)),
    });
    const planted = await plant("account", { adapterOf: lagging });
    isBehind = false;
    await planted.prove();
    await planted.startFresh();
    isBehind = false;
    expect(await planted.owner.session()).toMatchObject({ user: { email: ADDRESS } });
    expect(holderOf(planted.memory)?.id).not.toBe(planted.id);
    await planted.owner.signOut();
    expect((await planted.prove()).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(planted.memory.snapshot().users).toHaveLength(2);
  });
});
