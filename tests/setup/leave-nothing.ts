import { afterAll, vi } from "vitest";

// Test files that share a worker share its globals, too: what one of them leaves behind ends with it.
// `@hono/node-server` replaces the global `Request` and `Response` for good, as of the first server.
const worker: typeof globalThis & { real?: Pick<typeof globalThis, "Date" | "Request" | "Response"> } = globalThis;
worker.real ??= { Date, Request, Response };
const { real } = worker;

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  Object.assign(globalThis, real);
});
