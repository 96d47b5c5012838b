import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS, sparse } from "../../../testing/src/long-form.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { openMariadb } from "./mariadb.ts";
import { readTables } from "./schemas.ts";

const database = await whereReachable("MariaDB", openMariadb);
afterAll(() => database?.close());

describe.skipIf(database === undefined)("PrismaAdapter() on MariaDB", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: database ? PrismaAdapter(database.client) : {} }), {
    racers: RACERS,
  });
  testAddressSpellings(() => (database ? PrismaAdapter(database.client) : {}));
});

// Tables as Prisma makes them: "abc", "ABC", "ábc" and "abc " are one key.
const usual = readTables("mysql").replaceAll("utf8mb4_bin", "utf8mb4_unicode_ci");
const loose = await whereReachable("MariaDB with the usual collation", () => openMariadb(usual));
afterAll(() => loose?.close());

describe.skipIf(loose === undefined)("PrismaAdapter() on MariaDB with the usual collation", () => {
  adapterContract(sparse({ describe, it, expect }, 3), () => ({ adapter: loose ? PrismaAdapter(loose.client) : {} }), {
    racers: 8,
  });
  testAddressSpellings(() => (loose ? PrismaAdapter(loose.client) : {}));
});
