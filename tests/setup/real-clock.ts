import { afterAll, vi } from "vitest";

// Test files that share a worker share its clock, too.
afterAll(() => void vi.useRealTimers());
