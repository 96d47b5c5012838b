import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS } from "../../../testing/src/long-form.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openPostgres } from "./postgres.ts";

const database = await whereReachable("PostgreSQL", () => openPostgres());
afterAll(() => database?.close());

describe.skipIf(database === undefined)("KyselyAdapter() on PostgreSQL", () => {
  adapterContract(
    { describe, it, expect },
    () => ({ adapter: database ? KyselyAdapter(database.db, { passkeyNames: true }) : {} }),
    {
      racers: RACERS,
    },
  );
  testAddressSpellings(() => (database ? KyselyAdapter(database.db, { passkeyNames: true }) : {}));
});
