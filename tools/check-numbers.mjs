// Holds the numbers of numbers.json, which only fall: fails when one rises, and when one fell and its limit was not lowered. Compressed
// sizes differ by some bytes from one version of Node.js to another: they may be below their limit by a `tolerance`.
//
//   node tools/check-numbers.mjs            all; the packages must be built
//   node tools/check-numbers.mjs --fast     those that need only the sources
//   node tools/check-numbers.mjs --write    lowers the limits of those that fell; also with --fast
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, execPath } from "node:process";
import { countSources } from "./count-sources.mjs";
import { measureSizes } from "./measure-size.mjs";
import { runAsScript } from "./report-problems.mjs";

const FILE = "tools/numbers.json";

async function checkNumbers(root) {
  const isFast = argv.includes("--fast");
  const measured = isFast ? {} : { ...measureCallPath(root), ...(await measureSizes(root)) };
  const today = { ...countSources(root), ...measured };
  return compareNumbers(readFileSync(join(root, FILE), "utf8"), today, { isFast });
}

/** The files that run for each request, and the functions of the longest. In a fresh process, whose functions V8 has not optimized. */
function measureCallPath(root) {
  const paths = JSON.parse(execFileSync(execPath, ["tests/bench/call-path.mjs", "--json"], { cwd: root }));
  const { "passkey sign-in": _, ...ofCore } = paths;
  const files = Object.entries(ofCore).map(([name, { files }]) => [`files run: ${name}`, files]);
  return { ...Object.fromEntries(files), "functions run: OAuth callback": paths["OAuth callback"].functions };
}

/**
 * Compares today's numbers with the limits. `texts` of the result has the file with the limits of those that fell.
 *
 * @param isFast rows that were not counted are allowed.
 */
export function compareNumbers(text, today, { isFast }) {
  const rows = JSON.parse(text);
  const missing = Object.keys(today).filter((name) => !(name in rows));
  const uncounted = isFast ? [] : Object.keys(rows).filter((name) => !(name in today));
  const counted = Object.keys(rows).filter((name) => name in today);
  const risen = counted.filter((name) => today[name] > rows[name].limit);
  const fallen = counted.filter((name) => today[name] < rows[name].limit - toleranceOf(rows[name]));
  return {
    problems: [
      ...missing.map((name) => `${FILE}:1 has no row "${name}", which is ${today[name]} today`),
      ...uncounted.map((name) => `${FILE}:1 has the row "${name}", which nothing counts`),
      ...risen.map((name) => describeRise(name, rows[name], today[name])),
    ],
    notes: counted.map((name) => `${name}: ${today[name]}, limit ${rows[name].limit}, aim ${rows[name].aim ?? "none"}`),
    texts: { [FILE]: fallen.reduce((rest, name) => withLimit(rest, name, lowered(rows[name], today[name])), text) },
  };
}

const toleranceOf = ({ tolerance = 0 }) => tolerance;
const lowered = (row, value) => value + toleranceOf(row) / 2;

function describeRise(name, { limit, counts }, value) {
  const remedy =
    "Lower it, or raise the limit, with a row in decisions/046-raised-limits.md that says what the rise gives users.";
  return `${FILE}:1 "${name}" (${counts}) rose to ${value}; its limit is ${limit}. ${remedy}`;
}

function withLimit(text, name, limit) {
  const start = text.indexOf(`${JSON.stringify(name)}:`);
  return text.slice(0, start) + text.slice(start).replace(/(?<="limit": )\d+/, limit);
}

await runAsScript(import.meta, checkNumbers);
