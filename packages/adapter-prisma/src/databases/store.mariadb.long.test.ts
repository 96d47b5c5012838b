import { storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { openMariadb } from "./mariadb.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await whereReachable("MariaDB", () => openMariadb());
afterAll(() => database?.close());

describe.skipIf(database === undefined)("the store of PrismaAdapter() on MariaDB", () => {
  storeContract({ describe, it, expect }, () => {
    if (database === undefined) throw new Error("There is no database.");
    return storeUnderTest(database.client, database.another());
  });
});
