import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import { afterAll, describe, expect, it, vi } from "vitest";
import { whereReachable } from "../../testing/src/served-databases.ts";
import { openPostgres } from "./databases/postgres.ts";

import { DrizzleAdapter } from "./drizzle-adapter.ts";
import { surviveRestarts } from "./keep-alive.ts";
import { postgresTables } from "./tables/postgres-tables.ts";

const database = await whereReachable("PostgreSQL", () => openPostgres());
afterAll(() => database?.close());

/** Ends every connection of the database but the one that asks. */
const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

describe.skipIf(database === undefined)("surviveRestarts()", () => {
  it("lets the database end connections of `drizzle(url)`, idle and in a transaction", async () => {
    const url = String(Reflect.get(Object(database?.db), "$client").options.connectionString);
    const db = drizzle(url);
    const warn = vi.fn();
    DrizzleAdapter(db, postgresTables(), { warn });
    await db.execute(sql`SELECT 1`);
    await database?.run(END_OTHERS);
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringContaining("ended an idle connection")));
    const transaction = db.transaction(async (inside) => {
      await inside.execute(sql`SELECT 1`);
      await database?.run(END_OTHERS);
      await inside.execute(sql`SELECT 1`);
    });
    await expect(transaction).rejects.toThrow();
    expect((await db.execute(sql`SELECT 1 AS one`)).rows).toEqual([{ one: 1 }]);
    await db.$client.end();
  });

  it("adds nothing to a pool that has listeners, and nothing twice", async () => {
    const own = vi.fn();
    const pool = new Pool().on("error", own).on("connect", own);
    for (const one of [pool, new Pool(), pool]) {
      surviveRestarts({ $client: one }, () => undefined);
      surviveRestarts({ $client: one }, () => undefined);
      expect([one.listenerCount("error"), one.listenerCount("connect")]).toEqual([1, 1]);
    }
    for (const other of [undefined, null, {}, { on() {} }]) surviveRestarts({ $client: other }, () => undefined);
  });
});
