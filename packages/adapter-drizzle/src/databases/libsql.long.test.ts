import { adapterContract, storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { RACERS } from "../../../testing/src/long-form.ts";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import { openLibsql } from "./sqlite.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await openLibsql();
afterAll(() => database.close());

describe("DrizzleAdapter() on libSQL", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: database.adapter }), {
    racers: RACERS,
    lacks: ["removeSignInMethod"],
  });

  describe("its store", () => {
    // There is one writer at a time: no two transactions are open at once.
    const makeStore = () => {
      const { hold: _, ...subject } = storeUnderTest(database, sqliteTables({ passkeyNames: true }));
      return subject;
    };
    storeContract({ describe, it, expect }, makeStore, { lacks: ["hold"] });
  });
});
