import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { RACERS } from "../../../testing/src/long-form.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openLibsql } from "./libsql.ts";

const database = await openLibsql();
afterAll(() => database.close());

// Without its store: a connection of this client to a file may stay at an old snapshot once it was busy (docs/kysely.md).
describe("KyselyAdapter() on libSQL", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: KyselyAdapter(database.db, { passkeyNames: true }) }), {
    racers: RACERS,
  });
});
