import { adapterContract, storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import { openD1 } from "./d1.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await openD1();
afterAll(() => database.close());

describe("DrizzleAdapter() on D1", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: database.adapter }));

  describe("its store", () => {
    storeContract({ describe, it, expect }, () => {
      // There is one writer at a time: no two transactions are open at once.
      const { hold: _, ...subject } = storeUnderTest(database, sqliteTables());
      return subject;
    });
  });
});
