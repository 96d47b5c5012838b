import { adapterContract } from "@cardea/testing";
import { Kysely } from "kysely";
import { Kysely as OtherKysely, SqliteDialect } from "kysely-copy";
import Sqlite from "libsql";
import { afterAll, describe, expect, it } from "vitest";
import { sparse } from "../../../testing/src/long-form.ts";
import type { Database } from "../database.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { readTables } from "./test-database.ts";

const database = new Sqlite(":memory:");
database.exec(`PRAGMA foreign_keys = ON; ${readTables("sqlite")}`);
const db = new OtherKysely<Database>({ dialect: new SqliteDialect({ database }) });
afterAll(() => db.destroy());

// Two versions in one application: package managers install both, and `instanceof` tells their classes apart.
describe("KyselyAdapter() with an instance of another copy of Kysely", () => {
  adapterContract(
    sparse({ describe, it, expect }, 5),
    () => ({ adapter: KyselyAdapter(db as never, { passkeyNames: true }) }),
    { racers: 4 },
  );

  it("is another class", () => {
    expect(db).not.toBeInstanceOf(Kysely);
  });
});
