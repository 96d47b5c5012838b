import { adapterContract, storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { mysqlTables } from "../tables/mysql-tables.ts";
import { openMariadb } from "./mariadb.ts";
import { readTables } from "./read-tables.ts";
import { storeUnderTest } from "./store-under-test.ts";
import { whereReachable } from "./test-database.ts";

// Tables as drizzle-kit makes them: "abc", "ABC", "ábc" and "abc " are one key.
const usual = readTables("mysql").replaceAll("utf8mb4_bin", "utf8mb4_unicode_ci");

describe.each([
  { name: "MariaDB", open: () => openMariadb(), racers: 50 },
  {
    name: "MariaDB with the usual collation",
    open: () => openMariadb(usual),
    racers: process.env.CARDEA_TEST_LONG === "1" ? 50 : 8,
  },
])("DrizzleAdapter() on $name", async ({ name, open, racers }) => {
  const database = await whereReachable(name, open);
  afterAll(() => database?.close());

  describe.skipIf(database === undefined)("the contract", () => {
    adapterContract({ describe, it, expect }, () => ({ adapter: database?.adapter ?? {} }), { racers });
  });

  describe.skipIf(database === undefined)("its store", () => {
    storeContract({ describe, it, expect }, () => {
      if (database === undefined) throw new Error("There is no database.");
      return storeUnderTest(database, mysqlTables());
    });
  });
});
