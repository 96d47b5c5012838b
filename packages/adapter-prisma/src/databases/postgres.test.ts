import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testAddressSpellings } from "../../../testing/src/address-spellings.ts";
import { RACERS, sparse } from "../../../testing/src/long-form.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { openPostgres } from "./postgres.ts";
import { whereReachable } from "./test-database.ts";

const database = await whereReachable("PostgreSQL", () => openPostgres());
afterAll(() => database?.close());

describe.skipIf(database === undefined)("PrismaAdapter() on PostgreSQL", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: database ? PrismaAdapter(database.client) : {} }), {
    racers: RACERS,
  });
  testAddressSpellings(() => (database ? PrismaAdapter(database.client) : {}));
});

// A session and its user in one statement.
const joining = await whereReachable("PostgreSQL with joins", () => openPostgres({ previewFeature: "relationJoins" }));
afterAll(() => joining?.close());

describe.skipIf(joining === undefined)("PrismaAdapter() on PostgreSQL with joins", () => {
  adapterContract(
    sparse({ describe, it, expect }, 3),
    () => ({ adapter: joining ? PrismaAdapter(joining.client) : {} }),
    {
      racers: 8,
    },
  );
});
