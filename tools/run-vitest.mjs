// Runs one vitest project and counts its tests.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./run-command.mjs";

/**
 * Runs a project of vitest.config.ts and resolves to `{ passed, failed, skipped, output }`, one for each test, and vitest's
 * own `report`.
 */
export async function runVitest(project, { env = {} } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-vitest-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const command = ["vitest", "run", "--project", project, ...reporters];
  const { failed, output } = await runCommand(command, { env });
  const json = await readFile(file, "utf8").catch(() => "{}"); // no report: vitest did not get that far
  await rm(folder, { recursive: true, force: true });
  const report = JSON.parse(json);
  return { ...countTests(report, failed === 0), output, report };
}

/**
 * Counts the tests of vitest's JSON report. A file that could not be loaded counts as one failure, and so does a run
 * that failed although no test did (no test found, an error outside of any test).
 */
export function countTests(report, succeeded) {
  const files = report.testResults ?? [];
  const broken = files.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  const failed = (report.numFailedTests ?? 0) + broken;
  return {
    passed: report.numPassedTests ?? 0,
    failed: failed === 0 && !succeeded ? 1 : failed,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  };
}
