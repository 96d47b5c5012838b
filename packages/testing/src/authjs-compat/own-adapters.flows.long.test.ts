// Our adapters for Drizzle and Kysely under the whole engine, in the same journeys as those of Auth.js, on SQLite.

import { KyselyAdapter } from "@cardea/adapter-kysely";
import { describe } from "vitest";
import { openSqlite as openDrizzle } from "../../../adapter-drizzle/src/databases/sqlite.ts";
import { openSqlite as openKysely } from "../../../adapter-kysely/src/databases/sqlite.ts";
import { engineOnAdapter } from "./engine-on-adapter.ts";

describe("the engine on DrizzleAdapter()", () => engineOnAdapter(openDrizzle));

describe("the engine on KyselyAdapter()", () => {
  engineOnAdapter(async () => {
    const { db, close } = await openKysely();
    return { adapter: KyselyAdapter(db), close };
  });
});
