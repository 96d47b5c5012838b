/** A setup file of vitest, run before each test file: see {@link watchCases}. */
import { expect } from "vitest";

// Of core every test, and of each other package what is hostile to it.
if (/\/packages\/(core\/|[^/]+\/test\/hostile\/)/.test(expect.getState().testPath ?? "")) {
  const { watchCases } = await import("./harness.ts");
  watchCases();
}
