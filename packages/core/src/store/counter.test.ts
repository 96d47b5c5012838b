import { describe, expect, it } from "vitest";
import { openCounter } from "./counter.ts";
import { memoryStore } from "./memory-store.ts";

const open = (store = memoryStore()) => openCounter(store, "a counter", { ttl: 60 });

describe("openCounter()", () => {
  it("is 0 before it is raised", async () => {
    expect(await open().read()).toBe(0);
  });

  it("is raised to the time at least: above every value that a lost counter can have had", async () => {
    const began = Math.floor(Date.now() / 1000);
    const { value, former } = await open().raise();
    expect(former).toBe(0);
    expect(value).toBeGreaterThanOrEqual(began);
  });

  it("grows with each call, also of many at once", async () => {
    const counter = open();
    const raised = await Promise.all(Array.from({ length: 20 }, () => counter.raise()));
    const values = raised.map(({ value }) => value).sort((a, b) => a - b);
    expect(new Set(values).size).toBe(20);
    expect(new Set(raised.map(({ former }) => former))).toEqual(new Set([0, ...values.slice(0, -1)]));
    expect(await counter.read()).toBe(values.at(-1));
  });

  it("is raised above a value that the store has lost", async () => {
    const counter = open();
    const { value } = await counter.raise();
    expect(await open().raise(value + 5)).toEqual({ value: value + 6, former: value + 5 });
  });

  it("is restored to a former value, and by no other one lowered", async () => {
    const counter = open();
    await counter.restore(7);
    await counter.restore(3);
    expect(await counter.read()).toBe(7);
  });

  it("rejects what is not an integer: nothing ends by mistake, and nothing is let in", async () => {
    for (const text of ["x", "-1", "1.5", "1e99"]) {
      const store = memoryStore();
      await store.set("a counter", text, { ttl: 60 });
      await expect(open(store).read()).rejects.toThrow("not an integer");
      await expect(open(store).raise()).rejects.toThrow("not an integer");
    }
  });
});
