import { afterAll, describe, expect, it } from "vitest";
import { fewRaces } from "../../../testing/src/few-races.ts";
import { SERIALIZABLE, SNAPSHOTS, whereReachable } from "../../../testing/src/served-databases.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openMariadb } from "./mariadb.ts";
import { openPostgres } from "./postgres.ts";

/** Databases that end statements which meet, for the application to run them again. */
const settings = [
  {
    name: "SERIALIZABLE PostgreSQL",
    database: await whereReachable("PostgreSQL", () => openPostgres(undefined, SERIALIZABLE)),
  },
  {
    name: "MariaDB with snapshots",
    database: await whereReachable("MariaDB", () => openMariadb(undefined, SNAPSHOTS)),
  },
];
afterAll(() => Promise.all(settings.map(({ database }) => database?.close())));

describe.each(settings)("KyselyAdapter() on $name", ({ database }) => {
  if (database === undefined) return void it.skip("is not reachable");
  fewRaces({ describe, it, expect }, () => ({
    adapter: KyselyAdapter(database.db, { passkeyNames: true }),
    other: KyselyAdapter(database.another(), { passkeyNames: true }),
  }));
});
