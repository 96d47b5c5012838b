import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { openSqlite } from "./sqlite.ts";

const database = await openSqlite({ version: 6 });
afterAll(() => database.close());

describe("PrismaAdapter() with Prisma 6", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: PrismaAdapter(database.client) }), { racers: 8 });
  testAddressSpellings(() => PrismaAdapter(database.client));
});
