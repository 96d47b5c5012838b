import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS } from "../../../testing/src/long-form.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openSqlite } from "./sqlite.ts";

const database = await openSqlite();
afterAll(() => database.close());

describe("KyselyAdapter() on SQLite", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: KyselyAdapter(database.db, { passkeyNames: true }) }), {
    racers: RACERS,
  });
  testAddressSpellings(() => KyselyAdapter(database.db, { passkeyNames: true }));
});
