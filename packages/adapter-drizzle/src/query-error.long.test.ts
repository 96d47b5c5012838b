import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { describe, expect, it } from "vitest";
import { openDatabase } from "./database.ts";
import { run } from "./query-error.ts";

describe("run()", () => {
  it("attempts a query once in a transaction of the application, which the database has ended", async () => {
    const server = new PGlite();
    const db = drizzle(server);
    const attemptsOn = async (given: object) => {
      let attempts = 0;
      const work = async () => {
        attempts += 1;
        if (attempts === 1) throw Object.assign(new Error("deadlock"), { code: "ER_LOCK_DEADLOCK" });
      };
      await run(openDatabase(given), work).catch(() => undefined);
      return attempts;
    };
    const inTransaction = await db.transaction((transaction) => attemptsOn(transaction));
    expect([await attemptsOn(db), inTransaction]).toEqual([2, 1]);
    await server.close();
  });
});
