import { createClock, storeContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { memoryStore } from "./memory-store.ts";

describe("memoryStore()", () => {
  storeContract(
    { describe, it, expect },
    () => {
      const clock = createClock();
      return { store: memoryStore({ now: clock.now }), advance: (seconds) => void clock.advance({ seconds }) };
    },
    { lacks: ["hold", "lose", "checkpoint"] },
  );

  it("says that other processes see nothing of it, unless there are none", () => {
    expect([memoryStore().scope, memoryStore({ instances: 1 }).scope]).toEqual(["process", "application"]);
  });

  it.each([
    [999, "a"],
    [1000, null],
    [1001, null],
  ])("after %i ms of one second has %j", async (milliseconds, text) => {
    const clock = createClock();
    const store = memoryStore({ now: clock.now });
    await store.set("key", "a", { ttl: 1 });
    clock.advance({ milliseconds });
    expect(await store.get("key")).toBe(text);
  });

  it("keeps what is alive when it frees what is over", async () => {
    const clock = createClock();
    const store = memoryStore({ now: clock.now });
    await store.set("alive", "a", { ttl: 10 });
    await store.set("for ever", "b", { ttl: null });
    for (let n = 0; n < 1500; n++) await store.set(`over ${n}`, "c", { ttl: 1 });
    clock.advance({ seconds: 2 });
    for (let n = 0; n < 3000; n++) await store.set("written often", "d", { ttl: 1 });
    expect(await Promise.all(["alive", "for ever", "over 7"].map(store.get))).toEqual(["a", "b", null]);
  });
});
