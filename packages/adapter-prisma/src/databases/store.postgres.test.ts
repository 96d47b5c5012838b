import { storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { openPostgres } from "./postgres.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await whereReachable("PostgreSQL", () => openPostgres());
afterAll(() => database?.close());

describe.skipIf(database === undefined)("the store of PrismaAdapter() on PostgreSQL", () => {
  storeContract({ describe, it, expect }, () => {
    if (database === undefined) throw new Error("There is no database.");
    return storeUnderTest(database.client, database.another());
  });
});
