import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openPglite } from "./pglite.ts";

const database = await openPglite();
afterAll(() => database.close());

describe("KyselyAdapter() on PGlite", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: KyselyAdapter(database.db) }));
});
