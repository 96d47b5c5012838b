import { AsyncResource } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "./own-timers.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Work that an earlier test file has left running: it sets a timer once it goes on. */
let goOn = () => {};
const leftover = new Promise<void>((resolve) => {
  goOn = resolve;
}).then(() => setTimeout(() => {}, 1_000));

/** The context of an earlier test file: none of this one's tests. */
const others = new AsyncResource("an earlier test file");

describe("useOwnTimers()", () => {
  it("counts the timers of the test that calls it, and none of what others left running", async () => {
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    goOn();
    await leftover;
    await setImmediate();
    expect(timers.count()).toBe(0);
    const done = new Promise((resolve) => setTimeout(resolve, 500, "done"));
    const cleared = setTimeout(() => {}, 500);
    expect(timers.count()).toBe(2);
    clearTimeout(cleared);
    expect(timers.count()).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(await done).toBe("done");
    await timers.allEnd();
  });

  it("counts no timer of others that sets itself again when the test moves the clock", async () => {
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let runs = 0;
    const setAgain = (): unknown => {
      runs += 1;
      return setTimeout(setAgain, 10);
    };
    others.runInAsyncScope(setAgain);
    await vi.advanceTimersByTimeAsync(100);
    expect([runs, timers.count()]).toEqual([11, 0]);
  });

  it("gives the real timers back", () => {
    const { setTimeout, clearTimeout } = globalThis;
    useOwnTimers();
    expect(globalThis.setTimeout).not.toBe(setTimeout);
    vi.useRealTimers();
    expect(globalThis.setTimeout).toBe(setTimeout);
    expect(globalThis.clearTimeout).toBe(clearTimeout);
  });

  it("waits until the last has ended", async () => {
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const timer = setTimeout(() => undefined, 1_000);
    let isOver = false;
    const ending = timers.allEnd().then(() => {
      isOver = true;
    });
    await setImmediate();
    expect(isOver).toBe(false);
    clearTimeout(timer);
    await ending;
  });
});
