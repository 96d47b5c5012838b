import { describe, expect, it, vi } from "vitest";
import { retryPassing } from "./retry-passing.ts";

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
