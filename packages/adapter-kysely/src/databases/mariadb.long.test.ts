import { readFileSync } from "node:fs";
import type { Adapter } from "@cardea/core/adapters";
import { adapterContract } from "@cardea/testing";
import { sql } from "kysely";
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

// A table as Auth.js has it: the keys contain the whole id.
const short = readTables("mysql")
  .replace("VARCHAR(1364)", "VARCHAR(512)")
  .replace(/(`credentialID`)\(\d+\)/g, "$1");
const former = await whereReachable("MariaDB with a former table", () => openMariadb(short));
afterAll(() => former?.close());

describe.skipIf(former === undefined)("docs/database.md", () => {
  it("shows the statement with which a table takes the longest credential ids", async () => {
    if (former === undefined) return;
    const adapter: Adapter = KyselyAdapter(former.db);
    const user = await adapter.createUser?.({ id: "", email: "ann@example.com", emailVerified: null });
    const key = {
      ...{ userId: user?.id ?? "", credentialID: "k".repeat(1364), providerAccountId: "a", credentialPublicKey: "p" },
      ...{ counter: 0, credentialDeviceType: "singleDevice", credentialBackedUp: false, transports: null },
    };
    await expect(adapter.createAuthenticator?.(key)).rejects.toThrow("credentialID");
    const page = readFileSync(new URL("../../../../docs/database.md", import.meta.url), "utf8");
    const [statement = ""] = /ALTER TABLE `Authenticator`[^;]*;/.exec(page) ?? [];
    await sql.raw(statement).execute(former.db);
    await adapter.createAuthenticator?.(key);
    expect(await adapter.getAuthenticator?.(key.credentialID)).toMatchObject(key);
    expect(await adapter.getAuthenticator?.(key.credentialID.toUpperCase())).toBe(null);
  });
});
