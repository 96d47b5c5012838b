import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { RACERS } from "../../../testing/src/long-form.ts";
import { scratchPglite } from "../../../testing/src/scratch-pglite.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openPglite } from "./pglite.ts";

const database = await openPglite(await scratchPglite());
afterAll(() => database.close());

describe("KyselyAdapter() on PGlite", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: KyselyAdapter(database.db, { passkeyNames: true }) }), {
    racers: RACERS,
  });
});
