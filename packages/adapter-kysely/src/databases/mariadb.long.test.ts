import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS, sparse } from "../../../testing/src/long-form.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openMariadb } from "./mariadb.ts";
import { readTables } from "./test-database.ts";

const database = await whereReachable("MariaDB", () => openMariadb());
afterAll(() => database?.close());

describe.skipIf(database === undefined)("KyselyAdapter() on MariaDB", () => {
  adapterContract(
    { describe, it, expect },
    () => ({ adapter: database ? KyselyAdapter(database.db, { passkeyNames: true }) : {} }),
    {
      racers: RACERS,
    },
  );
  testAddressSpellings(() => (database ? KyselyAdapter(database.db, { passkeyNames: true }) : {}));
});

// Tables as most servers make them: "abc", "ABC", "ábc" and "abc " are one key.
const usual = readTables("mysql").replaceAll("utf8mb4_bin", "utf8mb4_unicode_ci");
const loose = await whereReachable("MariaDB with the usual collation", () => openMariadb(usual));
afterAll(() => loose?.close());

describe.skipIf(loose === undefined)("KyselyAdapter() on MariaDB with the usual collation", () => {
  const make = () => ({ adapter: loose ? KyselyAdapter(loose.db, { passkeyNames: true }) : {} });
  adapterContract(sparse({ describe, it, expect }, 3), make, { racers: 8 });
  testAddressSpellings(() => make().adapter);
});
