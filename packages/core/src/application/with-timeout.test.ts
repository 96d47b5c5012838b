import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import { withTimeout } from "./with-timeout.ts";

/** A server: it answers when it is told to, and says so when it has. */
const ANSWER = `
  const { parentPort, workerData: signal } = require("node:worker_threads");
  Atomics.wait(signal, 0, 0);
  parentPort.postMessage("there");
  Atomics.store(signal, 1, 1);
  Atomics.notify(signal, 1);
`;

describe("withTimeout()", () => {
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

  it("takes an answer that arrived while this process was busy for longer than the limit", async () => {
    const signal = new Int32Array(new SharedArrayBuffer(8));
    const answer = new Worker(ANSWER, { eval: true, workerData: signal });
    await once(answer, "online");
    // After this turn of the event loop timers are run before messages are read.
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = withTimeout(20, once(answer, "message"));
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
    // This thread stops until the answer was sent, and then for longer than the limit.
    Atomics.wait(signal, 1, 0);
    Atomics.wait(signal, 1, 1, 100);
    expect(await waiting).toEqual(["there"]);
    await answer.terminate();
  });

  it("R59 lets work that fails after its time be, without an unhandled rejection", async () => {
    vi.useFakeTimers();
    const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("late")), 5_000));
    const waiting = expect(withTimeout(1_000, late)).rejects.toThrow("did not settle");
    await vi.advanceTimersByTimeAsync(10_000);
    await waiting;
  });
});
