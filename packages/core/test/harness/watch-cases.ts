/** A setup file of vitest, run before each test file: see {@link watchCases}. */
import { expect } from "vitest";

if (expect.getState().testPath?.includes("/packages/core/")) {
  const { watchCases } = await import("./harness.ts");
  watchCases();
}
