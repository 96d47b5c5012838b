import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import { withTimeout } from "./with-timeout.ts";

describe("within()", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ["a value", 7],
    ["nothing", undefined],
    ["null", null],
  ])("hands %s on without a timer", async (_, value) => {
    const timers = useOwnTimers();
    const result = withTimeout(1_000, value);
    expect(timers.count()).toBe(0);
    expect(await result).toBe(value);
  });

  it("hands on what work comes to, and leaves no timer behind", async () => {
    const timers = useOwnTimers();
    expect(await withTimeout(1_000, Promise.resolve(7))).toBe(7);
    await expect(withTimeout(1_000, Promise.reject(new TypeError("broken")))).rejects.toThrow("broken");
    expect(timers.count()).toBe(0);
  });

  it("waits until the time is over, and no longer", async () => {
    vi.useFakeTimers();
    let failure: unknown;
    const waiting = withTimeout(1_000, new Promise(() => {})).catch((error: unknown) => {
      failure = error;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(failure).toMatchObject({ message: "did not settle within 1000 ms" });
  });

  it("R59 lets work that fails after its time be, without an unhandled rejection", async () => {
    vi.useFakeTimers();
    const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("late")), 5_000));
    const waiting = expect(withTimeout(1_000, late)).rejects.toThrow("did not settle");
    await vi.advanceTimersByTimeAsync(10_000);
    await waiting;
  });
});
