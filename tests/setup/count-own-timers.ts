import { vi } from "vitest";

// What another file of this worker has left running may set a timer at any time: a test counts its own.
vi.getTimerCount = () => {
  throw new Error("This counts the timers of other test files as well. Use useOwnTimers() of packages/testing.");
};
