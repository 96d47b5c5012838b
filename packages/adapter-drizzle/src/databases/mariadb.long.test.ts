import { adapterContract, storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS, sparse } from "../../../testing/src/long-form.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { mysqlTables } from "../tables/mysql-tables.ts";
import { openMariadb } from "./mariadb.ts";
import { readTables } from "./read-tables.ts";
import { storeUnderTest } from "./store-under-test.ts";

// Tables as drizzle-kit makes them: "abc", "ABC", "ábc" and "abc " are one key.
const usual = readTables("mysql").replaceAll("utf8mb4_bin", "utf8mb4_unicode_ci");

describe.each([
  { name: "MariaDB", open: () => openMariadb(), racers: RACERS, step: 1 },
  {
    name: "MariaDB with the usual collation",
    open: () => openMariadb(usual),
    racers: 50,
    step: 3,
  },
])("DrizzleAdapter() on $name", async ({ name, open, racers, step }) => {
  const database = await whereReachable(name, open);
  afterAll(() => database?.close());
  const framework = sparse({ describe, it, expect }, step);

  describe.skipIf(database === undefined)("the contract", () => {
    adapterContract(framework, () => ({ adapter: database?.adapter ?? {} }), { racers });
    testAddressSpellings(() => database?.adapter ?? {});
  });

  describe.skipIf(database === undefined)("its store", () => {
    storeContract(framework, () => {
      if (database === undefined) throw new Error("There is no database.");
      return storeUnderTest(database, mysqlTables({ passkeyNames: true }));
    });
  });
});
