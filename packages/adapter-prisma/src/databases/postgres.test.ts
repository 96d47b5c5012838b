import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS } from "../../../testing/src/long-form.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { openPostgres } from "./postgres.ts";

const database = await whereReachable("PostgreSQL", () => openPostgres());
afterAll(() => database?.close());

describe.skipIf(database === undefined)("PrismaAdapter() on PostgreSQL", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: database ? PrismaAdapter(database.client) : {} }), {
    racers: RACERS,
  });
  testAddressSpellings(() => (database ? PrismaAdapter(database.client) : {}));
});
