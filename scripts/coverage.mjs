// Which test shows which rule of the specification and which safety case: writes docs/coverage.md from the names of the
// tests, and fails on a gap.
//
//   node scripts/coverage.mjs            fails on a gap, an unknown number, or a docs/coverage.md that is out of date
//   node scripts/coverage.mjs --write    writes docs/coverage.md first, and the checklist of SECURITY.md
//
// What SECURITY.md promises by number has to have a test as well.
//
// The lists are docs/coverage/spec-rules.json and docs/coverage/safety-cases.json. A test names what it shows in its
// title or its group's: it("H088 refuses a repeated state"), describe("spec 5.11 callbacks.signIn").
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { writeSecurity } from "./check-security.mjs";
import { findTests, namesOf, numberPattern } from "./coverage-tests.mjs";
import { runAsScript } from "./report-problems.mjs";

/** Up to this issue nothing may be without a test; raise it with the issue that is being finished. */
const doneIssue = 7;

const page = "docs/coverage.md";
const promises = "SECURITY.md";
const lists = [
  { heading: "Rules of the specification", path: "docs/coverage/spec-rules.json", text: "promise" },
  { heading: "Safety cases", path: "docs/coverage/safety-cases.json", text: "title", group: "area" },
];

/** Problems of the tree below `root`: gaps, unknown numbers, and a page that is not what the tests make of it. */
export function checkCoverage(root) {
  const { problems, text } = readCoverage(root);
  const current = existsSync(join(root, page)) ? readFileSync(join(root, page), "utf8") : "";
  return current === text ? problems : [...problems, `${page}:1 is out of date: node scripts/coverage.mjs --write`];
}

/** Writes the page; what remains are gaps and unknown numbers. */
export function writeCoverage(root) {
  const { problems, text } = readCoverage(root);
  writeFileSync(join(root, page), text);
  return problems;
}

function readCoverage(root) {
  const filled = lists.map((list) => ({ ...list, entries: readList(root, list.path) }));
  const entries = new Map(filled.flatMap((list) => list.entries.map((entry) => [entry.id, entry])));
  const problems = [];
  for (const { path, name, rows } of findTests(root)) {
    for (const test of namesOf({ name, rows })) {
      for (const { number, entry } of findNumbers(test.numbers, entries)) {
        if (entry) entry.tests.add(`\`${path}\` › ${code(test.name)}`);
        else problems.push(`${path}:1 “${test.name}” names ${number}, which is in no list of docs/coverage`);
      }
    }
  }
  for (const { id, issue, tests } of entries.values()) {
    if (issue <= doneIssue && tests.size === 0) problems.push(`${page}:1 no test shows ${id}`);
  }
  return { problems: [...problems, ...checkPromises(root, entries)], text: render(filled) };
}

function checkPromises(root, entries) {
  if (!existsSync(join(root, promises))) return [];
  const lines = readFileSync(join(root, promises), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const empty = [...findNumbers(line, entries)].filter(({ entry }) => !entry || entry.tests.size === 0);
    return empty.map(({ number }) => `${promises}:${index + 1} relies on ${number}, which no test shows`);
  });
}

function readList(root, path) {
  return JSON.parse(readFileSync(join(root, path), "utf8")).map((entry) => ({ ...entry, tests: new Set() }));
}

/** The numbers in a text, each as its entry: the longest id that stands there, `spec 4.1 session POST` before `spec 4.1`. */
function* findNumbers(text, entries) {
  for (const match of text.matchAll(numberPattern)) {
    const rest = text.slice(match.index);
    const fitting = [...entries.keys()].filter((id) => rest.startsWith(id) && !/^[\w-]/.test(rest.slice(id.length)));
    const id = fitting.sort((a, b) => b.length - a.length)[0];
    yield { number: match[0], entry: id === undefined ? undefined : entries.get(id) };
  }
}

function render(filled) {
  const parts = [
    "# Coverage",
    "Which test shows which rule. Written by `node scripts/coverage.mjs --write` from the names of the tests; do not edit.",
    ...filled.flatMap(renderList),
  ];
  return `${parts.join("\n\n")}\n`;
}

function renderList({ heading, entries, text, group }) {
  const shown = entries.filter((entry) => entry.tests.size > 0).length;
  const summary = `${shown} of ${entries.length} are shown by a test. The others belong to an issue that is still open.`;
  const groups = group ? [...new Set(entries.map((entry) => entry[group]))] : [undefined];
  return [
    `## ${heading}`,
    summary,
    ...groups.flatMap((name) => {
      const members = entries.filter((entry) => !group || entry[group] === name);
      const items = members.map((entry) => renderEntry(entry, text)).join("\n");
      return name === undefined ? [items] : [`### ${name}`, items];
    }),
  ];
}

function renderEntry({ id, issue, tests, ...entry }, text) {
  const open = issue === "later" ? "not offered yet" : `issue ${issue}`;
  const lines = tests.size === 0 ? [`*none: ${open}*`] : [...tests].sort();
  return [`- **${id}** ${entry[text]}`, ...lines.map((line) => `  - ${line}`)].join("\n");
}

/** A name as code, whatever it contains. */
function code(name) {
  const longest = Math.max(0, ...(name.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return fence + pad + name.replace(/\s+/g, " ") + pad + fence;
}

/** The checklist of SECURITY.md is written from the same names: one command for both. */
const writeAll = (root) => [...writeCoverage(root), ...writeSecurity(root)];

await runAsScript(import.meta, argv.includes("--write") ? writeAll : checkCoverage);
