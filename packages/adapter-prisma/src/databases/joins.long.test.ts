// The preview feature `relationJoins`: a session and its user in one statement.
import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { openPostgres } from "./postgres.ts";

const database = await whereReachable("PostgreSQL with joins", () => openPostgres({ previewFeature: "relationJoins" }));
afterAll(() => database?.close());

describe.skipIf(database === undefined)("PrismaAdapter() on PostgreSQL with joins", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: database ? PrismaAdapter(database.client) : {} }), {
    racers: 8,
  });
});
