import { storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openSqlite } from "./sqlite.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await openSqlite();
afterAll(() => database.close());

describe("the store of KyselyAdapter() on SQLite", () => {
  const make = () => {
    // There is one writer at a time: no two transactions are open at once.
    const { hold: _, ...subject } = storeUnderTest(database.db);
    return subject;
  };
  storeContract({ describe, it, expect }, make, { lacks: ["hold"] });
});
