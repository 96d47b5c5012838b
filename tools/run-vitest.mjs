// Runs projects of vitest.config.ts and counts their tests.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./run-command.mjs";

/** More than this is no accident of a busy machine, and is not run again. */
const MAXIMUM_FILES = 5;

/**
 * Runs projects and resolves to `{ passed, failed, skipped, show, output }`; each test counts. Files that failed run once more by
 * themselves, in new processes and with new servers. What passes then counts as passed, and `show` names it, because it must be fixed.
 * `show` also has the reasons that tests give for skipping (`SKIPPED: …`).
 */
export async function runVitest(projects, { args = [], ...options } = {}) {
  const first = await runOnce(projects, args, options);
  const files = failedFiles(first.report);
  const reasons = [...new Set(first.output.match(/SKIPPED: .*/g))];
  if (files.length === 0 || files.length > MAXIMUM_FILES) {
    return { ...countTests(first.report, first.succeeded), show: reasons.join("\n"), output: first.output };
  }
  const second = await runOnce(projects, files, options);
  const others = first.report.testResults.filter(({ name }) => !files.includes(name));
  return {
    ...countTests({ testResults: [...others, ...(second.report.testResults ?? [])] }, second.succeeded),
    show: [describeRetried(first.report, second.report), ...reasons].join("\n"),
    output: `${first.output}\nOnce more, only ${files.join(", ")}:\n${second.output}`,
  };
}

async function runOnce(projects, args, options) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-vitest-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const chosen = projects.flatMap((project) => ["--project", project]);
  const { failed, output } = await runCommand(["vitest", "run", ...chosen, ...args, ...reporters], options);
  const json = await readFile(file, "utf8").catch(() => "{}"); // no report: vitest did not get that far
  await rm(folder, { recursive: true, force: true });
  return { succeeded: failed === 0, output, report: JSON.parse(json) };
}

function failedFiles({ testResults = [] }) {
  return [...new Set(testResults.filter(({ status }) => status === "failed").map(({ name }) => name))];
}

/** Names each test that failed in the first run and not in the second, with the first line of its error, and each such file. */
export function describeRetried(first, second) {
  const stillFailed = failedFiles(second);
  const files = first.testResults.filter(({ name, status }) => status === "failed" && !stillFailed.includes(name));
  return files.flatMap(describeFailures).join("\n");
}

function describeFailures({ name, message, assertionResults }) {
  const tests = assertionResults.filter(({ status }) => status === "failed");
  const describe = (what, text = "") => `RETRIED: ${what}\n${text.split("\n")[0]}`;
  if (tests.length === 0) return [describe(name, message)];
  return tests.map(({ fullName, failureMessages }) => describe(`${name}: ${fullName}`, failureMessages[0]));
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
