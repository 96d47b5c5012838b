import { storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { sparse } from "../../../testing/src/long-form.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openD1 } from "./d1.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await openD1();
afterAll(() => database.close());

describe("the store of KyselyAdapter() on D1, which has no transactions", () => {
  const { store } = KyselyAdapter(database.db, { transactions: false, warn: () => {} });
  const make = () => {
    if (store === undefined) throw new Error("The adapter has no store.");
    const { advance } = storeUnderTest(database.db);
    return { store, advance };
  };
  storeContract(sparse({ describe, it, expect }, 4), make, { lacks: ["log", "lose", "checkpoint", "hold"] });
});
