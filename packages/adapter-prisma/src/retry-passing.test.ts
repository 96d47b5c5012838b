import { describe, expect, it, vi } from "vitest";
import { retryPassing } from "./retry-passing.ts";

const conflict = () => Object.assign(new Error("conflict"), { code: "P2034" });

/** As Prisma reports an error of MariaDB that it does not know. */
const changed = () =>
  Object.assign(new Error("changed"), {
    code: "P2039",
    meta: { driverAdapterError: { cause: { originalCode: "1020" } } },
  });

describe("retryPassing()", () => {
  it.each([conflict, changed])("attempts again what the database ended because of another (%#)", async (end) => {
    const errors = [end(), end()];
    const work = async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
      return "written";
    };
    expect(await retryPassing(work)).toBe("written");
  });

  it("gives up after a hundred attempts", async () => {
    vi.useFakeTimers();
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      throw conflict();
    };
    let isOver = false;
    const refusal = retryPassing(work).finally(() => {
      isOver = true;
    });
    refusal.catch(() => undefined);
    while (!isOver) await vi.advanceTimersToNextTimerAsync();
    vi.useRealTimers();
    await expect(refusal).rejects.toThrow("conflict");
    expect(attempts).toBe(100);
  });

  it.each(["P2002", undefined])("throws any other error at once (%s)", async (code) => {
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      throw Object.assign(new Error("refused"), { code, meta: {} });
    };
    await expect(retryPassing(work)).rejects.toThrow("refused");
    expect(attempts).toBe(1);
  });
});
