import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/memory-store.ts";
import { retryChange } from "./retry-change.ts";

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

  it("passes an error on at once, and any other result", async () => {
    await expect(retryChange(() => Promise.reject(new Error("away")), "A list")).rejects.toThrow("away");
    for (const result of [null, false, 0, ""]) expect(await retryChange(async () => result, "A list")).toBe(result);
  });
});
