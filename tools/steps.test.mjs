import { describe, expect, it } from "vitest";
import { countTests } from "./run-vitest.mjs";
import { runSteps, tally, totalLine } from "./steps.mjs";

const result = (passed, failed = 0, skipped = 0) => ({ passed, failed, skipped });
const run = (steps) => runSteps(steps, () => undefined);

describe("runSteps()", () => {
  it("does not run a step whose need failed, and counts it as failed", async () => {
    const steps = [
      { name: "build", run: async () => result(0, 1) },
      { name: "packages", needs: "build", run: async () => result(1) },
    ];
    expect(tally(await run(steps), { ci: false })).toEqual(result(0, 2));
  });

  it("counts a step that throws as failed", async () => {
    const steps = [{ name: "a", run: () => Promise.reject(new Error("no")) }];
    expect(tally(await run(steps), { ci: false })).toEqual(result(0, 1));
  });
});

describe("tally()", () => {
  it("counts what was skipped as failed in CI", () => {
    expect(totalLine(tally([result(2, 0, 1)], { ci: true }))).toBe("2 passed, 1 failed");
    expect(totalLine(tally([result(2, 0, 1)], { ci: false }))).toBe("2 passed, 0 failed, 1 skipped");
  });
});

describe("countTests()", () => {
  it("counts a file that could not be loaded, and a run that failed without a failed test", () => {
    const broken = { testResults: [{ status: "failed", assertionResults: [] }], numPassedTests: 3 };
    expect(countTests(broken, false)).toEqual(result(3, 1));
    expect(countTests({ numPassedTests: 3 }, false)).toEqual(result(3, 1));
  });
});
