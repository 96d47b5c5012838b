import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { describe, expect, it, vi } from "vitest";
import { openDatabase } from "./database.ts";
import { retryPassing, run } from "./query-error.ts";

describe("retryPassing()", () => {
  it.each(["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"])("waits for a writer of this process (%s)", async (code) => {
    let isWriting = true;
    setTimeout(() => {
      isWriting = false;
    });
    const work = async () => {
      if (isWriting) throw new Error("busy", { cause: Object.assign(new Error("locked"), { code }) });
      return "written";
    };
    expect(await retryPassing(work)).toBe("written");
  });

  it("attempts what a deadlock ends a hundred times", async () => {
    vi.useFakeTimers();
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      throw Object.assign(new Error("deadlock"), { code: "40P01" });
    };
    let isOver = false;
    const refusal = retryPassing(work).finally(() => {
      isOver = true;
    });
    refusal.catch(() => undefined);
    while (!isOver) await vi.advanceTimersToNextTimerAsync();
    vi.useRealTimers();
    await expect(refusal).rejects.toThrow("deadlock");
    expect(attempts).toBe(100);
  });

  it("throws any other error at once", async () => {
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      throw new Error("no such table");
    };
    await expect(retryPassing(work)).rejects.toThrow("no such table");
    expect(attempts).toBe(1);
  });
});

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
