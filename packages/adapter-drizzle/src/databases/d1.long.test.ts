import { adapterContract, storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { sparse } from "../../../testing/src/long-form.ts";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import { openD1 } from "./d1.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await openD1();
afterAll(() => database.close());

describe("DrizzleAdapter() on D1", () => {
  // Each statement goes through a worker; to Drizzle they are those of SQLite.
  const racers = 50;
  adapterContract(sparse({ describe, it, expect }, 4), () => ({ adapter: database.adapter }), {
    racers,
    lacks: ["removeSignInMethod"],
  });

  it("has a store that counts, and a log", async () => {
    const { store } = database.adapter;
    const counts = await Promise.all([1, 2, 3].map(() => store?.add("counter", 1, { ttl: 60 })));
    expect(counts.map((count) => count?.value).sort()).toEqual([1, 2, 3]);
    await Promise.all(["a", "b", "c"].map((entry) => store?.log?.append("log", entry, { ttl: 60 })));
    expect([...((await store?.log?.since("log", null))?.entries ?? [])].sort()).toEqual(["a", "b", "c"]);
  });

  // Each statement goes through a worker: the contract of the store takes minutes.
  describe("its store", () => {
    // There is one writer at a time: no two transactions are open at once.
    const makeStore = () => {
      const { hold: _, ...subject } = storeUnderTest(database, sqliteTables({ passkeyNames: true }));
      return subject;
    };
    storeContract({ describe, it, expect }, makeStore, { lacks: ["hold"] });
  });
});
