// Runs projects of vitest.config.ts and counts their tests.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./run-command.mjs";

/** Runs projects and resolves to `{ passed, failed, skipped, output }`; each test counts. */
export async function runVitest(projects, { env = {}, args = [], timeout } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-vitest-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const chosen = projects.flatMap((project) => ["--project", project]);
  const { failed, output } = await runCommand(["vitest", "run", ...chosen, ...args, ...reporters], { env, timeout });
  const json = await readFile(file, "utf8").catch(() => "{}"); // no report: vitest did not get that far
  await rm(folder, { recursive: true, force: true });
  const report = JSON.parse(json);
  return { ...countTests(report, failed === 0), show: describeRetried(report), output };
}

/** Tests that passed at the second attempt, in projects that allow one. They are reported, because each of them must be fixed. */
export function describeRetried({ testResults = [] }) {
  const tests = testResults.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })));
  const retried = tests.filter(({ status, failureMessages = [] }) => status === "passed" && failureMessages.length > 0);
  return retried
    .map(({ file, fullName, failureMessages: [first] }) => `RETRIED: ${file}: ${fullName}\n${first.split("\n")[0]}`)
    .join("\n");
}

/**
 * Counts the tests in Vitest's JSON report. A file that could not be loaded counts as one failure, and so does a failed run
 * without a failed test (no test found, or an error outside tests).
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
