import { adapterContract, createClock, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { sampleSessionInfo } from "../../../testing/src/adapter-contract/samples.ts";
import type { Adapter } from "../model/adapter.ts";
import { extend } from "./extend-adapter.ts";
import { memoryStore } from "./memory-store.ts";

/** An adapter as Auth.js has them: none of the methods that extensions use. */
function plainAdapter(): Adapter {
  const {
    createSessionInfo: _1,
    getSessionInfo: _2,
    updateSessionInfo: _3,
    listSessionInfosByUserId: _4,
    deleteSessionInfosByUserId: _5,
    createCredential: _6,
    listCredentialsByUserId: _7,
    updateCredential: _8,
    deleteCredential: _9,
    store: _10,
    ...others
  } = createMemoryAdapter().adapter;
  return others;
}

describe("extend()", () => {
  adapterContract(
    { describe, it, expect },
    () => ({ adapter: extend(plainAdapter(), { store: memoryStore(), durable: true }) }),
    { lacks: ["removeSignInMethod"] },
  );

  it("lets no database decide about credentials that are in the store", () => {
    const { adapter } = createMemoryAdapter();
    const extended = extend(plainAdapter(), { store: memoryStore(), durable: true });
    const own = extend(adapter, { store: memoryStore(), durable: true });
    expect([typeof extended.removeSignInMethod, typeof own.removeSignInMethod]).toEqual(["undefined", "function"]);
  });

  it("takes an id that is a number and its text for one user", async () => {
    const adapter = extend(plainAdapter(), { store: memoryStore(), durable: true });
    const numeric = 7 as unknown as string;
    const credential = { type: "totp", secret: "s", label: null, createdAt: new Date(), usedAt: null } as const;
    const { id = "" } = (await adapter.createCredential?.({ ...credential, userId: numeric })) ?? {};
    await adapter.createCredential?.({ ...credential, userId: "7" });
    expect([await adapter.listCredentialsByUserId?.("7"), await adapter.listCredentialsByUserId?.(numeric)]).toEqual([
      [expect.objectContaining({ id }), expect.anything()],
      [expect.objectContaining({ id }), expect.anything()],
    ]);
    expect(await adapter.updateCredential?.({ id, version: 0, secret: "t" })).toMatchObject({ version: 1 });
  });

  it("keeps no credentials in a store that may forget them", () => {
    const adapter = extend(plainAdapter(), { store: memoryStore() });
    expect([typeof adapter.createSessionInfo, typeof adapter.createCredential]).toEqual(["function", "undefined"]);
  });

  it("leaves the methods of an adapter as they are, those of its class included", async () => {
    class Own implements Adapter {
      readonly #name = "own";
      async getUser(id: string) {
        return { id, name: this.#name, email: null, emailVerified: null };
      }
      async createSessionInfo() {}
    }
    const store = memoryStore();
    const adapter = extend(new Own(), { store });
    expect(await adapter.getUser("1")).toMatchObject({ name: "own" });
    expect([adapter.store === store, "getUser" in adapter, "getSessionInfo" in adapter]).toEqual([true, true, false]);
    expect(adapter.deleteUser).toBeUndefined();
  });

  it.each(["plain", "frozen", "of a class"])("adds methods that a copy by `{ ...adapter }` has (%s)", async (kind) => {
    class Made {
      readonly createUser = async () => ({ id: "1", email: "ann@example.com", emailVerified: null });
      readonly deleteUser = async () => undefined;
    }
    const made: Adapter = kind === "of a class" ? new Made() : { ...new Made() };
    const store = memoryStore();
    const extended = extend(kind === "frozen" ? Object.freeze(made) : made, { store, durable: true });
    const copy: Adapter = { ...extended, getUser: async () => null };
    expect(extended instanceof Made).toBe(kind === "of a class");
    expect(Object.keys(extended)).toEqual(
      expect.arrayContaining(["createUser", "createSessionInfo", "createCredential"]),
    );
    expect([copy.store, (await copy.createUser?.({ id: "", email: "", emailVerified: null }))?.id]).toEqual([
      store,
      "1",
    ]);
    const password = { userId: "1", type: "password", secret: "hash", createdAt: new Date() } as const;
    await copy.createCredential?.(password);
    await copy.deleteUser?.("1");
    expect(await extended.listCredentialsByUserId?.("1")).toEqual([]);
  });

  it.each([7, 7n])("keeps records of users whose id is %s, as text", async (id) => {
    const adapter = extend(plainAdapter(), { store: memoryStore(), durable: true });
    // A cast: databases return numbers, despite the type.
    const userId = id as unknown as string;
    const [createdAt, expires] = [new Date(), new Date(Date.now() + 60_000)];
    await adapter.createCredential?.({ userId, type: "password", secret: "hash", createdAt });
    const origin = { provider: "op", providerAccountId: "7", factors: [], epoch: 0 };
    await adapter.createSessionInfo?.({
      id: "s",
      tokenHash: "h",
      userId,
      createdAt,
      seenAt: createdAt,
      expires,
      ...origin,
    });
    for (const asked of ["7", userId]) {
      expect(await adapter.listCredentialsByUserId?.(asked)).toMatchObject([{ userId: "7", secret: "hash" }]);
      expect(await adapter.listSessionInfosByUserId?.(asked)).toMatchObject([{ userId: "7", id: "s" }]);
    }
  });

  it("keeps a list of sessions that does not grow with those that have expired", async () => {
    const clock = createClock(Date.now());
    const adapter = extend(plainAdapter(), { store: memoryStore({ now: clock.now }) });
    const { id: userId = "" } = (await adapter.createUser?.({ id: "", email: null, emailVerified: null })) ?? {};
    const now = new Date();
    for (let n = 0; n < 5; n++) {
      const expires = new Date(Date.now() + (n < 4 ? -1 : 60_000));
      const times = { createdAt: now, seenAt: now, expires };
      const info = { id: `s${n}`, tokenHash: `t${n}`, userId, ...times, factors: [], epoch: 0 };
      await adapter.createSessionInfo?.({ ...info, provider: "p", providerAccountId: "a" });
    }
    clock.advance({ seconds: 2 });
    expect((await adapter.listSessionInfosByUserId?.(userId))?.map(({ id }) => id)).toEqual(["s4"]);
  });

  it("reads the records of active sessions only, where those are asked for", async () => {
    const store = memoryStore();
    let reads = 0;
    const get = (key: string) => {
      reads += 1;
      return store.get(key);
    };
    const adapter = extend(plainAdapter(), { store: { ...store, get } });
    const expires = new Date(Date.now() + 60_000);
    for (const id of ["ends", "stays"]) {
      await adapter.createSessionInfo?.(sampleSessionInfo("ann", { id, tokenHash: id, expires, endedAt: null }));
    }
    await adapter.updateSessionInfo?.("ends", { endedAt: new Date(), endReason: "limit" });
    reads = 0;
    const listed = await adapter.listSessionInfosByUserId?.("ann", new Date());
    expect(listed?.map(({ id }) => id)).toEqual(["stays"]);
    // The list, and one record.
    expect(reads).toBe(2);
    expect(await adapter.deleteSessionInfosByUserId?.("ann")).toBe(2);
  });
});
