import { describe, expect, it } from "vitest";
import { countTests } from "./run-vitest.mjs";
import { runSteps, tally, totalLine } from "./steps.mjs";

const result = (passed, failed = 0, skipped = 0) => ({ passed, failed, skipped });
const run = (steps) => runSteps(steps, { print: () => undefined });

/** Steps by name, each of which ends when it is told to; and what was started and printed so far. */
function control(steps, inOrder = true) {
  const [started, printed, ends] = [[], [], new Map()];
  const controlled = Object.entries(steps).map(([name, options]) => ({
    ...{ name, ...options },
    run: () => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(result(1))));
    },
  }));
  const end = async (...names) => {
    for (const name of names) {
      ends.get(name)();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return started;
  };
  const done = runSteps(controlled, { print: (line) => printed.push(line.split(" ")[1]), inOrder });
  return { started, printed, end, done };
}

describe("runSteps()", () => {
  it("does not run a step whose need failed, and counts it as failed, as one that throws", async () => {
    const steps = [
      { name: "build", run: async () => result(0, 1) },
      { name: "packages", needs: "build", run: async () => result(1) },
      { name: "example", run: async () => result(1) },
      { name: "browser", needs: ["example", "packages"], run: async () => result(1) },
      { name: "broken", run: () => Promise.reject(new Error("no")) },
    ];
    expect(tally(await run(steps), { ci: false })).toEqual(result(1, 4));
  });

  it("starts the heaviest first, what fits beside it, and a step when what it needs has ended; reports in order", async () => {
    const { started, printed, end, done } = control({ a: {}, b: {}, c: { needs: ["a", "b"] }, heavy: { weight: 3 } });
    expect(started).toEqual(["heavy", "a"]);
    expect(await end("heavy")).toEqual(["heavy", "a", "b"]);
    expect(printed).toEqual([]);
    expect((await end("b")).at(-1)).toBe("b");
    expect((await end("a")).at(-1)).toBe("c");
    expect(printed).toEqual(["a", "b"]);
    await end("c");
    expect(await done).toHaveLength(4);
    expect(printed).toEqual(["a", "b", "c", "heavy"]);
  });

  it("reports each step as it ends, in a run of hours", async () => {
    const { printed, end, done } = control({ a: {}, b: {} }, false);
    await end("b");
    expect(printed).toEqual(["b"]);
    await end("a");
    await done;
    expect(printed).toEqual(["b", "a"]);
  });

  it("starts what is early before what is heavy, and lets nothing lighter pass what has no room yet", async () => {
    const late = { heavy: { weight: 3, after: "build" }, slow: { early: true, needs: "build" } };
    const { started, end, done } = control({ a: {}, b: {}, c: {}, d: {}, ...late, build: { early: true } });
    expect(started).toEqual(["build", "a", "b", "c"]);
    expect((await end("build")).slice(4)).toEqual(["slow"]);
    expect((await end("a", "b")).slice(5)).toEqual([]);
    expect((await end("c")).slice(5)).toEqual(["heavy"]);
    await end("heavy", "d", "slow");
    expect(await done).toHaveLength(7);
  });

  it("says so where no step can ever start", async () => {
    const steps = [{ name: "a", needs: "nothing of that name", run: async () => result(1) }];
    await expect(run(steps)).rejects.toThrow("No step may start: a");
  });
});

it("counts what was skipped as failed in CI", () => {
  expect(totalLine(tally([result(2, 0, 1)], { ci: true }))).toBe("2 passed, 1 failed");
  expect(totalLine(tally([result(2, 0, 1)], { ci: false }))).toBe("2 passed, 0 failed, 1 skipped");
});

const test = (fullName, status) => ({ fullName, status });
const file = (name, status, ...assertionResults) => ({ name, status, assertionResults });
const report = (...testResults) => ({ testResults });

describe("countTests()", () => {
  it("counts each test, and those that did not run", () => {
    const statuses = ["passed", "failed", "skipped", "todo"];
    const tests = statuses.map((status) => test(status, status));
    expect(countTests(report(file("a", "failed", ...tests)), false)).toEqual(result(1, 1, 2));
  });

  it("counts a file that could not be loaded, and a run that failed without a failed test", () => {
    const passed = file("b", "passed", test("one", "passed"));
    expect(countTests(report(file("a", "failed"), passed), false)).toEqual(result(1, 1));
    expect(countTests(report(passed), false)).toEqual(result(1, 1));
    expect(countTests({}, false)).toEqual(result(0, 1));
  });
});
