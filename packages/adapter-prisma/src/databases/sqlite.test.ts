import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS } from "../../../testing/src/long-form.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { openSqlite } from "./sqlite.ts";

const database = await openSqlite();
afterAll(() => database.close());

describe("PrismaAdapter() on SQLite", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: PrismaAdapter(database.client) }), { racers: RACERS });
  testAddressSpellings(() => PrismaAdapter(database.client));
});
