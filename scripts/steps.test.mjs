import { describe, expect, it } from "vitest";
import { countTests } from "./run-vitest.mjs";
import { runSteps, tally, totalLine } from "./steps.mjs";

const passed = { passed: 1, failed: 0, skipped: 0, output: "all is well" };
const failed = { passed: 0, failed: 1, skipped: 0, output: "line 1\nline 2" };

async function run(steps) {
  const printed = [];
  const results = await runSteps(steps, (text) => printed.push(text));
  return { printed, total: tally(results, { ci: false }) };
}

describe("runSteps()", () => {
  it("reports in the order of the list, whatever ends first", async () => {
    let release;
    const slow = new Promise((resolve) => {
      release = resolve;
    });
    const steps = [
      { name: "slow", run: () => slow.then(() => passed) },
      { name: "quick", run: async () => passed },
      { name: "last", run: async () => passed },
    ];
    const running = run(steps);
    release();
    expect((await running).printed.map((text) => text.split(" ")[1])).toEqual(["slow", "quick", "last"]);
  });

  it("goes on after a failure, and shows its output", async () => {
    const { printed, total } = await run([
      { name: "one", run: async () => failed },
      { name: "two", run: async () => passed },
    ]);
    expect(total).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(printed[0]).toContain("\n    line 1\n    line 2");
    expect(printed[1]).not.toContain("all is well");
  });

  it("counts a step that throws as failed", async () => {
    const { printed, total } = await run([{ name: "one", run: () => Promise.reject(new Error("no such tool")) }]);
    expect(total.failed).toBe(1);
    expect(printed[0]).toContain("no such tool");
  });

  it("does not run a step whose need failed, and counts it as failed", async () => {
    const steps = [
      { name: "build", run: async () => failed },
      { name: "size", needs: "build", run: () => expect.unreachable() },
    ];
    const { printed, total } = await run(steps);
    expect(total).toEqual({ passed: 0, failed: 2, skipped: 0 });
    expect(printed[1]).toContain("not run: it needs “build”");
  });

  it("runs two at a time, and a step marked alone by itself", async () => {
    const active = new Set();
    const seen = [];
    const step = (name, alone) => ({
      name,
      alone,
      run: async () => {
        active.add(name);
        await new Promise(setImmediate);
        seen.push([...active].join("+"));
        active.delete(name);
        return passed;
      },
    });
    await run([step("a"), step("b"), step("c", true), step("d"), step("e")]);
    expect(seen).toEqual(["a+b", "b", "c", "d+e", "e"]);
  });
});

describe("tally()", () => {
  const results = [
    { passed: 3, failed: 0, skipped: 2 },
    { passed: 1, failed: 1, skipped: 0 },
  ];
  it("adds up", () => expect(totalLine(tally(results, { ci: false }))).toBe("4 passed, 1 failed, 2 skipped"));
  it("counts skipped as failed in CI", () =>
    expect(totalLine(tally(results, { ci: true }))).toBe("4 passed, 3 failed"));
});

describe("countTests()", () => {
  const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] };

  it("counts todo and pending tests as skipped", () => {
    expect(countTests(report, true)).toEqual({ passed: 5, failed: 0, skipped: 2 });
  });
  it("counts a file that could not be loaded as one failure", () => {
    const testResults = [{ status: "failed", assertionResults: [] }];
    expect(countTests({ ...report, testResults }, false).failed).toBe(1);
  });
  it("counts a run that failed without a failing test as one failure", () => {
    expect(countTests(report, false).failed).toBe(1);
    expect(countTests({}, false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
