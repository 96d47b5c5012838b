// Chooses the unit tests that `pnpm check` runs for a change: the nearest to it, so few that they take seconds. `npm test` runs all.
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { sourcePaths, trackedFiles } from "./source-files.mjs";

/** Test files that one check runs. */
const LIMIT = 50;

/** Unit tests by vitest.config.ts, without those of the long form. */
const UNIT =
  /^(?:packages\/[^/]+\/(?:src|test)|examples|tools|tests\/(?:compat|fleet|guides))\/.*(?<!\.long)\.test\.m?[jt]s$/;

/**
 * Test files that a change affects, as `{ chosen, left }`, the nearest first:
 *
 * 1. tests that differ,
 * 2. tests in the folder of a file that differs,
 * 3. tests that import such a file, by the number of files between them; those of its package before others.
 *
 * @param changed paths of the files that differ.
 * @param tree `tests`: paths of all unit tests; `importers`: path → the files that import it.
 */
export function chooseTests(changed, { tests, importers }) {
  const folders = new Set(changed.map(dirname));
  const packages = new Set(changed.map(packageOf));
  const distances = distancesFrom(changed, importers);
  const rankOf = (path) => {
    if (changed.includes(path)) return 0;
    if (folders.has(dirname(path))) return 1;
    return 2 * (distances.get(path) ?? Number.POSITIVE_INFINITY) + (packages.has(packageOf(path)) ? 0 : 1);
  };
  const ranks = new Map(tests.map((path) => [path, rankOf(path)]));
  const affected = tests.filter((path) => ranks.get(path) < Number.POSITIVE_INFINITY);
  const sorted = affected.toSorted((one, other) => ranks.get(one) - ranks.get(other));
  return { chosen: sorted.slice(0, LIMIT), left: sorted.slice(LIMIT) };
}

const packageOf = (path) => path.split("/").slice(0, 2).join("/");

/** The files that import one of `changed`, directly or through others → how many imports lead there. */
function distancesFrom(changed, importers) {
  const distances = new Map(changed.map((path) => [path, 0]));
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

/** At the beginning of a file; types have no effect on a test. Sources of applications that tests write have imports, too. */
const STATIC = /^(?:import|export)\b(?! type\b)[^;"]*?"([^"\n]+)"/gm;
const DYNAMIC = /\bimport(?:\.meta\.glob[^"]*?)?\(\s*"([^"\n]+)"/g;
const REST = /^(?:async|class|const|describe|function|interface|it|type)\b[\s\S]*/m;

/** The unit tests of the tree below `root`, and who imports whom. */
export function readTree(root) {
  const paths = sourcePaths(root);
  const files = trackedFiles(root).filter((path) => /^(?:packages|examples|tests|tools)\/.*\.m?[jt]sx?$/.test(path));
  const targetsOf = (path, name) => {
    if (!name.startsWith(".")) return [paths[name] ?? paths["@cardea/*"].replace("*", name.replace("@cardea/", ""))];
    const target = posix.join(posix.dirname(path), name);
    const [before, after] = target.split("*");
    return after === undefined ? [target] : files.filter((one) => one.startsWith(before) && one.endsWith(after));
  };
  const importers = new Map();
  for (const path of files) {
    const text = readFileSync(join(root, path), "utf8");
    for (const [, name] of [...text.replace(REST, "").matchAll(STATIC), ...text.matchAll(DYNAMIC)])
      for (const target of targetsOf(path, name)) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  return { tests: files.filter((path) => UNIT.test(path)), importers };
}
