import { adapterContract, createClock, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
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
  adapterContract({ describe, it, expect }, () => ({
    adapter: extend(plainAdapter(), { store: memoryStore(), durable: true }),
  }));

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
});
