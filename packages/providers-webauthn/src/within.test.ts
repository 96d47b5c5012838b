import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../testing/src/own-timers.ts";
import { HOOK_TIMEOUT_MS, withinHookTime } from "./within.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("withinHookTime()", () => {
  it("resolves with a value and with a promise, rejects as the hook does, and leaves no timer", async () => {
    const timers = useOwnTimers();
    expect(await withinHookTime(7)).toBe(7);
    expect(await withinHookTime(Promise.resolve(null))).toBe(null);
    await expect(withinHookTime(Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(timers.count()).toBe(0);
  });

  it("rejects after thirty seconds where the hook never settles", async () => {
    vi.useFakeTimers();
    const waiting = expect(withinHookTime(new Promise(() => undefined))).rejects.toThrow("did not settle");
    await vi.advanceTimersByTimeAsync(HOOK_TIMEOUT_MS);
    await waiting;
  });
});
