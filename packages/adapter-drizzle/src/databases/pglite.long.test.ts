import { adapterContract, storeContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { RACERS } from "../../../testing/src/long-form.ts";
import { scratchPglite } from "../../../testing/src/scratch-pglite.ts";
import { postgresTables } from "../tables/postgres-tables.ts";
import { openPglite } from "./pglite.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await openPglite(await scratchPglite());
afterAll(() => database.close());

describe("DrizzleAdapter() on PGlite", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: database.adapter }), { racers: RACERS });

  describe("its store", () => {
    // There is one writer at a time: no two transactions are open at once.
    const makeStore = () => {
      const { hold: _, ...subject } = storeUnderTest(database, postgresTables({ passkeyNames: true }));
      return subject;
    };
    storeContract({ describe, it, expect }, makeStore, { lacks: ["hold"] });
  });
});
