// The README's table of runtimes, from what passed on them.
//
//   node scripts/compatibility.mjs            fails when the table is not what runtimes/results.json says
//   node scripts/compatibility.mjs --write    runs the tests on every runtime (packages must be built), writes both
//
// `npm test` runs those tests as well, and fails when they have another result than the one that is written down.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { runAsScript } from "./report-problems.mjs";
import { runVitest } from "./run-vitest.mjs";

const page = "README.md";
const resultsPath = "runtimes/results.json";
const [begin, end] = ["<!-- runtimes: scripts/compatibility.mjs -->\n", "<!-- /runtimes -->\n"];

/** Problems of the tree below `root`: a table that does not say what the results say. */
export function checkTable(root) {
  const text = readFileSync(join(root, page), "utf8");
  const next = withTable(text, readResults(root));
  if (next === undefined) return [`${page}:1 has no place for the table: ${begin.trim()} … ${end.trim()}`];
  return next === text
    ? []
    : [`${page}:1 says something else than ${resultsPath}: node scripts/compatibility.mjs --write`];
}

/** Writes results and table from a report of vitest; what remains are tests that did not pass. */
export function writeTable(root, report) {
  const outcomes = [...outcomesOf(report)];
  const passed = outcomes.filter(({ status }) => status === "passed");
  const results = groupBy(passed, "package", (ofPackage) =>
    groupBy(ofPackage, "runtime", (ofRuntime) => groupBy(ofRuntime, "check", () => true)),
  );
  writeFileSync(join(root, resultsPath), `${JSON.stringify(results, null, 2)}\n`);
  const path = join(root, page);
  writeFileSync(path, withTable(readFileSync(path, "utf8"), results));
  return outcomes
    .filter(({ status }) => status !== "passed")
    .map((outcome) => `${describe(outcome)}: ${outcome.status}`);
}

/** Where a report of vitest says something else than the results below `root`. What was skipped says nothing. */
export function checkReport(root, report) {
  const results = readResults(root);
  const outcomes = [...outcomesOf(report)];
  const stated = ({ package: name, runtime, check }) => results[name]?.[runtime]?.[check] === true;
  const ran = outcomes.filter(({ status }) => status === "passed" || status === "failed");
  const changed = ran.filter((outcome) => stated(outcome) !== (outcome.status === "passed"));
  const known = new Set(outcomes.map(describe));
  const gone = [...listResults(results)].filter((result) => !known.has(describe(result)));
  const advice = `${resultsPath} says otherwise: node scripts/compatibility.mjs --write`;
  return [
    ...changed.map((outcome) => `${describe(outcome)}: ${outcome.status}; ${advice}`),
    ...gone.map((result) => `${describe(result)}: no such test; ${advice}`),
  ];
}

function readResults(root) {
  return JSON.parse(readFileSync(join(root, resultsPath), "utf8"));
}

/** The tests of a report by package, runtime and what they check. */
function* outcomesOf(report) {
  for (const { ancestorTitles, title, status } of (report.testResults ?? []).flatMap((file) => file.assertionResults)) {
    const [name, runtime] = ancestorTitles[0].split(" on ");
    yield { package: name, runtime, check: title, status };
  }
}

/** An object with a member for each value of `key` among the items: what `make` makes of the items with that value. */
function groupBy(items, key, make) {
  const values = [...new Set(items.map((item) => item[key]))];
  return Object.fromEntries(values.map((value) => [value, make(items.filter((item) => item[key] === value))]));
}

function* listResults(results) {
  for (const [name, runtimes] of Object.entries(results)) {
    for (const [runtime, checks] of Object.entries(runtimes)) {
      for (const check of Object.keys(checks)) yield { package: name, runtime, check };
    }
  }
}

const describe = ({ package: name, runtime, check }) => `${name} on ${runtime}: ${check}`;

/** The text with the table in its place; undefined when there is no place. */
function withTable(text, results) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  return from < 0 || to < from ? undefined : text.slice(0, from + begin.length) + render(results) + text.slice(to);
}

/** One row for each check, one column for each runtime; a cell names the packages of which it was shown. */
function render(results) {
  const all = [...listResults(results)];
  const runtimes = [...new Set(all.map(({ runtime }) => runtime))];
  const checks = [...new Set(all.map(({ check }) => check))];
  const cell = (check, runtime) => {
    const shown = all.filter((result) => result.check === check && result.runtime === runtime);
    return shown.map((result) => result.package.replace("@cardea/", "")).join(", ") || "–";
  };
  const rows = checks.map((check) => [check, ...runtimes.map((runtime) => cell(check, runtime))]);
  const lines = [["", ...runtimes], ["---", ...runtimes.map(() => "---")], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** Runs the tests and writes what they show. */
async function runAndWrite(root) {
  const { report, output } = await runVitest("runtimes");
  if (report.testResults === undefined) return [output];
  return writeTable(root, report);
}

await runAsScript(import.meta, argv.includes("--write") ? runAndWrite : checkTable);
