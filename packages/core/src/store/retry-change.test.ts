import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryStore } from "./memory-store.ts";
import { retryChange } from "./retry-change.ts";

afterEach(() => void vi.useRealTimers());

/** A change that others are first with so many times; each attempt takes a second. */
function losing(times: number) {
  let tries = 0;
  return () =>
    new Promise<string | undefined>((resolve) => {
      setTimeout(resolve, 1_000, tries++ < times ? undefined : "done");
    });
}

describe("retryChange()", () => {
  it("carries out every one of two hundred changes of one entry at the same moment", async () => {
    const store = memoryStore();
    const slow = <T>(value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, 1, value));
    const addOne = () =>
      retryChange(async () => {
        const text = await slow(await store.get("list"));
        return (await store.swap("list", text, `${text ?? ""}x`, { ttl: null })) || undefined;
      }, "A list");
    await Promise.all(Array.from({ length: 200 }, addOne));
    expect((await store.get("list"))?.length).toBe(200);
  });

  it("lets five hundred others be first, however long that takes, and not one more", async () => {
    vi.useFakeTimers();
    let isOver = false;
    const outcomes = Promise.allSettled([500, 501].map((times) => retryChange(losing(times), "A list"))).finally(() => {
      isOver = true;
    });
    while (!isOver) await vi.advanceTimersToNextTimerAsync();
    expect(await outcomes).toEqual([
      { status: "fulfilled", value: "done" },
      { status: "rejected", reason: new Error("A list could not be updated: too many concurrent changes.") },
    ]);
  });

  it("passes an error on at once, and any other result", async () => {
    await expect(retryChange(() => Promise.reject(new Error("away")), "A list")).rejects.toThrow("away");
    for (const result of [null, false, 0, ""]) expect(await retryChange(async () => result, "A list")).toBe(result);
  });
});
