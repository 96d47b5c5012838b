/**
 * Changes core's sources, one small change at a time, and reports which changes its tests find (README.md). Run by hand, in a worktree
 * with installed dependencies and nothing uncommitted: `node mutants.mjs --root <worktree> --seed 34 --results <file>`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { isSame, mutantsOf } from "./find-mutants.mjs";

const { values } = parseArgs({
  options: {
    root: { type: "string", default: join(import.meta.dirname, "../..") },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "60" },
    results: { type: "string", default: "mutants.json" },
    same: { type: "string" },
  },
});
const root = resolve(values.root);
const FOLDERS = ["protocol", "session", "oauth", "accounts"].map((folder) => `packages/core/src/${folder}`);
/** Milliseconds that the tests of core may take; a mutant may loop forever. */
const MAX_TIME = 45 * 60 * 1000;
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const mutantsIn = (file) => mutantsOf(file, readFileSync(join(root, file), "utf8"));
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
const sourcesIn = (folder) =>
  git("ls-files", `${folder}/*.ts`)
    .split("\n")
    .filter((file) => /^.+\/src\/.+(?<!\.test)\.ts$/.test(file));

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

function groupsOf(mutants, key) {
  return [...new Set(mutants.map((one) => one[key]))].map((value) => mutants.filter((one) => one[key] === value));
}

/** As many from each folder, and from each kind of change as far as there are enough. */
function choose(seed, count) {
  const random = randomFrom(seed);
  const pools = FOLDERS.map((folder) => groupsOf(sourcesIn(folder).flatMap(mutantsIn), "kind"));
  return Array.from({ length: count }, (_, n) => {
    const kinds = pools[n % pools.length].filter((pool) => pool.length > 0);
    const pool = kinds[random(kinds.length)];
    return pool.splice(random(pool.length), 1)[0];
  });
}

/** The mutant in this version: in its file, in one of that name, in the folders, or anywhere; undefined if its code no longer exists. */
function find(wanted) {
  const name = basename(wanted.file);
  const files = [
    existsSync(join(root, wanted.file)) ? [wanted.file] : [],
    sourcesIn("packages").filter((file) => basename(file) === name),
    FOLDERS.flatMap(sourcesIn),
    sourcesIn("packages"),
  ];
  for (const among of files) {
    for (const file of among) {
      const found = mutantsIn(file).find((one) => isSame(one, wanted));
      if (found !== undefined) return found;
    }
  }
}

/** Runs tests until one fails. Returns the files with failed tests, or why there are none. */
function failures(tests) {
  const folder = mkdtempSync(join(tmpdir(), "cardea-mutants-"));
  const report = join(folder, "report.json");
  const options = `run --project unit --bail 1 --passWithNoTests --reporter json --outputFile ${report}`.split(" ");
  const command = ["node_modules/vitest/vitest.mjs", ...options, ...tests];
  const limit = { timeout: MAX_TIME, killSignal: "SIGKILL" };
  const { status } = spawnSync("node", command, { cwd: root, stdio: "ignore", ...limit });
  const results = existsSync(report) ? read(report).testResults : [];
  rmSync(folder, { recursive: true });
  if (status === 0) return [];
  const failed = results.filter((one) => one.status === "failed").map(({ name }) => name.slice(root.length + 1));
  return failed.length > 0 ? failed : [status === null ? "no end" : "an error outside of tests"];
}

/** The test beside the file first, because it is fast and finds most. A failure counts if its file fails again, alone. */
function judge({ file, start, end, replacement }) {
  const code = readFileSync(join(root, file), "utf8");
  const beside = file.replace(/\.ts$/, ".test.ts");
  const stages = [...(existsSync(join(root, beside)) ? [beside] : []), `${dirname(file)}/`, "packages/core/"];
  try {
    writeFileSync(join(root, file), code.slice(0, start) + replacement + code.slice(end));
    for (const tests of stages) {
      const [by] = failures([tests]);
      if (by === undefined) continue;
      return { result: by.endsWith(".ts") && failures([by]).length === 0 ? "unsure" : "killed", by };
    }
    return { result: "survived" };
  } finally {
    writeFileSync(join(root, file), code);
  }
}

const known = existsSync(values.results) ? read(values.results).mutants : [];
if (known.length === 0 && failures(["packages/core/"]).length > 0)
  throw new Error("Without a mutant, core's tests must pass.");
const chosen = values.same ? read(values.same).mutants : choose(Number(values.seed), Number(values.count));
const mutants = [];
for (const { file, line, function: within, kind, text, nth } of chosen) {
  const wanted = { file, line, function: within, kind, text, nth };
  const found = find(wanted);
  const before = known.find((one) => isSame(one, wanted) && one.file === file);
  const outcome = before ?? { ...wanted, ...(found === undefined ? { result: "not found" } : judge(found)) };
  mutants.push(outcome);
  console.log(`${mutants.length} ${outcome.result}: ${outcome.file}:${outcome.line} ${outcome.kind}: ${outcome.text}`);
  writeFileSync(
    values.results,
    `${JSON.stringify({ commit: git("rev-parse", "HEAD").trim(), seed: values.seed, mutants }, null, 2)}\n`,
  );
}
const counts = groupsOf(mutants, "result").map((all) => `${all.length} ${all[0].result}`);
console.log(`${mutants.length} mutants: ${counts.join(", ")}`);
for (const one of mutants.filter(({ result }) => result === "survived"))
  console.log(`survived: ${one.file}:${one.line} ${one.kind}: ${one.text}`);
