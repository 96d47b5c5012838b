import { adapterContract, storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS } from "../../../testing/src/long-form.ts";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import { openSqlite } from "./sqlite.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await openSqlite();
afterAll(() => database.close());

describe("DrizzleAdapter() on SQLite", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: database.adapter }), { racers: RACERS });
  testAddressSpellings(() => database.adapter);

  describe("its store", () => {
    // There is one writer at a time: no two transactions are open at once.
    const makeStore = () => {
      const { hold: _, ...subject } = storeUnderTest(database, sqliteTables({ passkeyNames: true }));
      return subject;
    };
    storeContract({ describe, it, expect }, makeStore, { lacks: ["hold"] });
  });
});
