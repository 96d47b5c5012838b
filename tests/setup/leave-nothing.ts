import { afterAll, vi } from "vitest";

// Test files that share a worker share its globals, too: what one of them leaves behind ends with it.
const worker: typeof globalThis & { realDate?: DateConstructor } = globalThis;
worker.realDate ??= Date;
const { realDate } = worker;

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  globalThis.Date = realDate;
});
