import { adapterContract, storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS } from "../../../testing/src/long-form.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { postgresTables } from "../tables/postgres-tables.ts";
import { openPostgres } from "./postgres.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await whereReachable("PostgreSQL", () => openPostgres());
afterAll(() => database?.close());

describe.skipIf(database === undefined)("DrizzleAdapter() on PostgreSQL", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: database?.adapter ?? {} }), { racers: RACERS });
  testAddressSpellings(() => database?.adapter ?? {});

  describe("its store", () => {
    storeContract({ describe, it, expect }, () => {
      if (database === undefined) throw new Error("There is no database.");
      return storeUnderTest(database, postgresTables({ passkeyNames: true }));
    });
  });
});
