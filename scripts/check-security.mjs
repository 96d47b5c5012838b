// SECURITY.md: every promise names files that are there, and the checklist (OWASP ASVS 5.0) is answered line by line with the
// names of tests that exist.
//
//   node scripts/check-security.mjs            fails on a file or test that is not there, or a table that is out of date
//   node scripts/check-security.mjs --write    writes the table first
//
// The answers are docs/coverage/asvs.json: `id`, `question`, `answer` (yes, partly or no), `tests` (numbers, or
// `file.test.ts › name`) and `note`. A yes has a test or, where documentation is asked for, a link; anything else a reason.
// That the numbers of the other tables have tests is checked by coverage.mjs.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { findTests, namesOf } from "./coverage-tests.mjs";
import { runAsScript } from "./report-problems.mjs";

const page = "SECURITY.md";
const answersPath = "docs/coverage/asvs.json";
const [begin, end] = ["<!-- checklist: scripts/check-security.mjs -->\n", "<!-- /checklist -->\n"];
const shown = 2; // names of tests for one number; docs/coverage.md has all of them

/** Problems of the tree below `root`, a table that is out of date among them. */
export function checkSecurity(root) {
  const { problems, current, text } = readSecurity(root);
  return current === text
    ? problems
    : [...problems, `${page}:1 is out of date: node scripts/check-security.mjs --write`];
}

/** Writes the table; what remains are answers without ground and files that are not there. */
export function writeSecurity(root) {
  const { problems, text } = readSecurity(root);
  writeFileSync(join(root, page), text);
  return problems;
}

function readSecurity(root) {
  const current = readFileSync(join(root, page), "utf8");
  const tests = findTests(root);
  const rows = JSON.parse(readFileSync(join(root, answersPath), "utf8")).map((row) => ({
    ...row,
    found: (row.tests ?? []).map((reference) => findByReference(tests, reference)),
  }));
  const [from, to] = [current.indexOf(begin), current.indexOf(end)];
  if (from < 0 || to < from) return { problems: [`${page}:1 has no place for the checklist`], current, text: current };
  const text = current.slice(0, from + begin.length) + render(rows) + current.slice(to);
  return {
    problems: [...rows.flatMap(problemsOf), ...checkFiles(root, current), ...checkPromises(current)],
    current,
    text,
  };
}

/** The names of the tests that a number or `file › name` stands for. */
function findByReference(tests, reference) {
  const [file, name] = reference.split(" › ");
  if (name !== undefined) {
    return tests.filter((test) => test.path.endsWith(file) && test.name === name).map((test) => test.name);
  }
  const number = new RegExp(`\\b${reference}\\b`);
  const names = tests
    .flatMap(namesOf)
    .filter(({ numbers }) => number.test(numbers))
    .map((test) => test.name);
  // Those that begin with it are about it; others show it beside something else.
  return names.sort((a, b) => Number(!a.startsWith(reference)) - Number(!b.startsWith(reference)) || (a < b ? -1 : 1));
}

function problemsOf({ id, question, answer, tests = [], note = "", found }) {
  const problem = (text) => `${answersPath}:1 ${id} ${text}`;
  const missing = tests.filter((_, index) => found[index].length === 0);
  const isKnown = ["yes", "partly", "no"].includes(answer);
  const isGrounded = answer === "yes" ? tests.length > 0 || note.includes("](#") : note.length > 0;
  return [
    ...(question && isKnown ? [] : [problem("needs a question, and yes, partly or no")]),
    ...(isGrounded ? [] : [problem(answer === "yes" ? "says yes, and names no test" : "gives no reason")]),
    ...missing.map((reference) => problem(`names the test “${reference}”, which is not there`)),
  ];
}

/** Files are named in backticks, below packages/core/src or from the root. */
function checkFiles(root, text) {
  return text.split("\n").flatMap((line, index) => {
    const paths = [...line.matchAll(/`([\w.-]+\/[\w./-]*)`/g)]
      .map((match) => match[1])
      .filter((path) => /\.\w+$|\/$/.test(path));
    const missing = paths.filter(
      (path) => ![`packages/core/src/${path}`, path].some((one) => existsSync(join(root, one))),
    );
    return missing.map((path) => `${page}:${index + 1} names ${path}, which is not there`);
  });
}

/** Every row of the promises has all of its four cells: promise, rule, file and tests. */
function checkPromises(text) {
  const lines = text.split("\n");
  const heading = lines.findIndex((line) => line.startsWith("| promise |"));
  const rows = [];
  for (let at = heading + 2; heading >= 0 && lines[at]?.startsWith("|"); at++) rows.push(at);
  const isWhole = (line) =>
    line
      .split("|")
      .slice(1, -1)
      .every((cell) => cell.trim() !== "");
  return rows.filter((at) => !isWhole(lines[at])).map((at) => `${page}:${at + 1} promises without rule, file or test`);
}

function render(rows) {
  const lines = rows.map(({ id, question, answer, found, tests = [], note }) => {
    const names = found.flatMap((all, index) => (tests[index].includes(" › ") ? all : all.slice(0, shown)));
    const cells = [id, question, answer, [...new Set(names)].map(quote).join("<br>"), note ?? ""];
    return `| ${cells.join(" | ")} |\n`;
  });
  return `| ASVS | | | shown by | note |\n|---|---|---|---|---|\n${lines.join("")}`;
}

/** A name as it is read: places of a table of cases are left open. */
function quote(name) {
  const text = name.replace(/%[a-z#]|\$[\w.]+/gi, "…").replace(/\s+/g, " ");
  return text.replace(/[|<>*_`\\]/g, (character) => `\\${character}`);
}

await runAsScript(import.meta, argv.includes("--write") ? writeSecurity : checkSecurity);
