// Runs projects of vitest.config.ts and counts their tests.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./run-command.mjs";

/**
 * Runs projects and resolves to `{ passed, failed, skipped, show, output }`; each test counts, and a test that fails has failed: nothing
 * runs twice. `show` has the reasons that tests give for skipping (`SKIPPED: …`).
 */
export async function runVitest(projects, { args = [], ...options } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-vitest-"));
  const file = join(folder, "report.json");
  // In the long form each file as it ends, so that a run that is stopped still says what failed.
  const shown = process.env.CARDEA_TEST_LONG ? "default" : "dot";
  const reporters = [`--reporter=${shown}`, "--reporter=json", `--outputFile.json=${file}`];
  const chosen = projects.flatMap((project) => ["--project", project]);
  const { failed, output } = await runCommand(["vitest", "run", ...chosen, ...args, ...reporters], options);
  const json = await readFile(file, "utf8").catch(() => "{}"); // no report: vitest did not get that far
  await rm(folder, { recursive: true, force: true });
  const reasons = [...new Set(output.match(/SKIPPED: .*/g))];
  return { ...countTests(JSON.parse(json), failed === 0), show: reasons.join("\n"), output };
}

/**
 * Counts the tests in Vitest's JSON report. A file that could not be loaded counts as one failure, and so does a failed run
 * without a failed test (no test found, or an error outside tests).
 */
export function countTests({ testResults = [] }, succeeded) {
  const unloaded = testResults.filter(({ status, assertionResults: [test] }) => status === "failed" && !test).length;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  const [passed, failed] = [count("passed"), count("failed")];
  return { passed, failed: failed + unloaded || (succeeded ? 0 : 1), skipped: tests.length - passed - failed };
}
