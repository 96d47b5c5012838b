import { afterAll, describe, expect, it } from "vitest";
import { fewRaces } from "../../../testing/src/few-races.ts";
import { SERIALIZABLE, SNAPSHOTS, whereReachable } from "../../../testing/src/served-databases.ts";
import { mysqlTables } from "../tables/mysql-tables.ts";
import { postgresTables } from "../tables/postgres-tables.ts";
import { openMariadb } from "./mariadb.ts";
import { openPostgres } from "./postgres.ts";
import { adapterOf } from "./test-database.ts";

/** Databases that end statements which meet, for the application to run them again. */
const settings = [
  {
    name: "SERIALIZABLE PostgreSQL",
    database: await whereReachable("PostgreSQL", () => openPostgres(undefined, SERIALIZABLE)),
    tables: postgresTables({ passkeyNames: true }),
  },
  {
    name: "MariaDB with snapshots",
    database: await whereReachable("MariaDB", () => openMariadb(undefined, SNAPSHOTS)),
    tables: mysqlTables({ passkeyNames: true }),
  },
];
afterAll(() => Promise.all(settings.map(({ database }) => database?.close())));

describe.each(settings)("DrizzleAdapter() on $name", ({ database, tables }) => {
  if (database === undefined) return void it.skip("is not reachable");
  fewRaces({ describe, it, expect }, () => ({ adapter: database.adapter, other: adapterOf(database.other, tables) }));
});
