import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";

/** Timers that a test has set and that are still to come. */
export interface OwnTimers {
  count(): number;
  /**
   * Waits until none is left: what was awaited may end a turn before the timer that limited it. After 20 seconds it rejects, with the
   * places where those that are left were set.
   */
  allEnd(): Promise<void>;
}

/** The test that the running code belongs to. */
const test = new AsyncLocalStorage<OwnTimers | undefined>();

/**
 * Fakes the timers until `vi.useRealTimers()`, and counts those of the calling test alone. Test files of one worker share its
 * globals: what an earlier file has left running, such as a retry, may set a timer at any time, which `vi.getTimerCount()`
 * counts as well. A timer runs in the context that set it, as a real one does: otherwise one of a database that an earlier file has left
 * open, which sets itself again whenever it runs, would belong to the test that moves the clock. Call it in the test itself, not in a hook.
 *
 * @param options as for `vi.useFakeTimers()`.
 */
export function useOwnTimers(options?: Parameters<typeof vi.useFakeTimers>[0]): OwnTimers {
  const { setImmediate } = globalThis;
  vi.useFakeTimers(options);
  const pending = new Map<unknown, string | undefined>();
  const own = {
    count: () => pending.size,
    allEnd: async () => {
      const limit = performance.now() + 20_000;
      while (pending.size > 0) {
        if (performance.now() > limit)
          throw new Error(`Timers of this test are left: ${[...pending.values()].join("\n")}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
  test.enterWith(own);
  const { setTimeout, clearTimeout } = globalThis;
  const set = (work: (...args: unknown[]) => void, delay?: number, ...args: unknown[]) => {
    const setter = test.getStore();
    const run = () => {
      pending.delete(timer);
      test.run(setter, work, ...args);
    };
    const timer = setTimeout(run, delay);
    if (setter === own) pending.set(timer, new Error("set here").stack);
    return timer;
  };
  const clear: typeof clearTimeout = (timer) => {
    pending.delete(timer);
    clearTimeout(timer);
  };
  // With the members of the fakes, by which they are taken back.
  Object.assign(globalThis, {
    setTimeout: Object.assign(set, setTimeout),
    clearTimeout: Object.assign(clear, clearTimeout),
  });
  return own;
}
