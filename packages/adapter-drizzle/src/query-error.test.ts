import { describe, expect, it, vi } from "vitest";
import { retryPassing } from "./query-error.ts";

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

  it("attempts again what a deadlock ended, for some seconds", async () => {
    vi.useFakeTimers();
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      throw Object.assign(new Error("deadlock"), { code: "40P01" });
    };
    const refusal = expect(retryPassing(work)).rejects.toThrow("deadlock");
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await refusal;
    expect(attempts).toBeGreaterThan(20);
  });

  it("reports why PostgreSQL aborted the transaction that the adapter was given", async () => {
    const codes = ["40001", "25P02"];
    const work = async () => {
      throw Object.assign(new Error("ended"), { code: codes.shift() });
    };
    await expect(retryPassing(work)).rejects.toMatchObject({ code: "40001" });
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
