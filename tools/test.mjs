// Runs the tests of this repository. The last line of the output is `N passed, M failed`.
//
//   node tools/test.mjs            everything that a change must pass (`npm test`)
//   node tools/test.mjs --fast     during development (`pnpm check`): no build, and only the tests that are nearest to the change
//   node tools/test.mjs --all      before a release (`npm run test:all`): also other package managers, older Next.js, the website
//
// A failing step does not stop the others, except those that need it. In CI (variable CI) nothing may be skipped.
import { randomInt } from "node:crypto";
import { dirname } from "node:path";
import { chooseTests, readTree } from "./affected-tests.mjs";
import { runTsc } from "./compile.mjs";
import { findPrograms } from "./find-program.mjs";
import { endAllOnSignal, runCommand } from "./run-command.mjs";
import { runVitest } from "./run-vitest.mjs";
import { runSteps, tally, totalLine } from "./steps.mjs";

const mode = ["fast", "all"].find((name) => process.argv.includes(`--${name}`));

const command = (line, env) => () => runCommand(line.split(" "), { env });
const tool = (name) => command(`node tools/${name}.mjs`);
const turbo = (tasks, env) => command(`turbo run ${tasks} --output-logs=errors-only`, env);
const vitest = (projects, options) => () => runVitest(projects.split(" "), options);
const CACHE = "--incremental --tsBuildInfoFile node_modules/.cache/check";
const tsc = (args) => () =>
  mode === "fast"
    ? runTsc(`${args} ${CACHE}/${args.replace(/\W+/g, "-")}.json`.split(" "), { checkers: 2 })
    : runTsc(args.split(" "));

/** Applications that are built before tests use them. Outside a release only what has tests then. */
const applications =
  mode === "all"
    ? turbo("build --filter=e2e --filter=bindings-sveltekit --filter=example-*")
    : turbo("build --filter=e2e --filter=bindings-sveltekit --filter=example-express", { CARDEA_TEST_BUILD: "short" });

const PROGRAMS = mode === "fast" ? ["OATHTOOL_PATH"] : ["CHROMIUM_PATH", "OATHTOOL_PATH"];
const UNIT = mode === "all" ? "unit unit-apart next-15" : "unit unit-apart";
/** In their long form, unit tests take an hour, and none of the others that need a whole processor runs beside them. */
const UNIT_WEIGHT = mode === "all" ? 3 : 2;
const SHORT = { env: { CARDEA_TEST_LONG: "" } };
const HOUR = 60 * 60 * 1000;
/** Below a path, so that a link that works only without one is found. */
const SITE = "pnpm --filter docs site --base /any/base/ && node tools/check-site.mjs /any/base/";
const OUTDATED = "pnpm --filter @cardea/core outdated --dev || true";

/** The steps, in the order of the report. `show`: print the output even if the step passes. `early`, `after`, `weight`: see steps.mjs. */
const steps = [
  { name: "build", early: true, weight: 2, run: turbo("build:packages") },
  { name: "applications", early: true, needs: "build", run: applications },
  { name: "programs", fast: true, early: true, weight: 0, run: () => findPrograms(PROGRAMS) },
  { name: "types", fast: true, run: tsc("-p tsconfig.json") },
  // The builds of these do not check types, but write those of their routes. The compiler takes a fifth of the time of `next build`'s.
  { name: "types, Next.js", needs: "applications", run: tsc("-p tests/e2e/next-app --noEmit --incremental false") },
  // Again without Node's types, to find Node globals in code that must run on every runtime.
  { name: "types, any runtime", fast: true, run: tsc("-p tsconfig.portable.json") },
  { name: "lint and format", fast: true, run: command("biome check --colors=off --error-on-warnings .") },
  { name: "layers", fast: true, run: tool("check-layers") },
  { name: "numbers", fast: true, only: "fast", run: command("node tools/check-numbers.mjs --fast") },
  { name: "text", fast: true, run: tool("check-text") },
  { name: "manifests and READMEs", fast: true, run: tool("packages") },
  { name: "scripts of pages", fast: true, run: tool("page-scripts") },
  { name: "links in documents", fast: true, run: tool("check-links") },
  { name: "affected tests", fast: true, only: "fast", weight: 2, after: "programs", run: runAffected },
  { name: "options in documents", run: tool("check-options") },
  { name: "code in documents", run: tool("check-snippets") },
  { name: "unused code", run: command("knip --no-progress --no-config-hints") },
  { name: "public surface", needs: "build", run: tool("check-api") },
  { name: "numbers", needs: "build", show: true, run: tool("check-numbers") },
  // Early, because they take longest. Browser tests beside the others wait half of the time.
  ...[
    { name: "unit tests", weight: UNIT_WEIGHT, after: ["build", "programs"], run: vitest(UNIT, { timeout: 2 * HOUR }) },
    { name: "applications in browsers", needs: "applications", after: "programs", run: vitest("browser") },
  ].map((step) => ({ ...step, early: true })),
  { name: "as a user installs it", needs: "build", run: vitest("install") },
  // Without tests that need a separate build; with --all, these have their own steps.
  { name: "framework adapters", needs: "applications", run: vitest("bindings", SHORT) },
  // Before a release.
  ...[
    {
      name: "types, Next.js example",
      needs: "applications",
      run: tsc("-p examples/next --noEmit --incremental false"),
    },
    { name: "packages", needs: "build", run: tool("check-packages") },
    { name: "runtimes", needs: "build", run: vitest("runtimes") },
    { name: "build below a path", needs: "build", run: command("pnpm --filter e2e build:long") },
    { name: "browser, below a path", weight: 2, needs: "build below a path", run: vitest("browser-shop") },
    // Applications cannot update bundled dependencies themselves.
    { name: "bundled dependencies", show: true, run: () => runCommand(["sh", "-c", OUTDATED]) },
    { name: "documentation site", run: () => runCommand(["sh", "-c", SITE]) },
    { name: "build with Next.js 15", needs: "build", run: turbo("build --filter=e2e-next-15") },
    { name: "browser, Next.js 15", weight: 2, needs: "build with Next.js 15", run: vitest("browser-next-15") },
    { name: "build with Next.js 14", needs: "build", run: command("pnpm --filter e2e-next-14 build:long") },
    { name: "browser, Next.js 14", weight: 2, needs: "build with Next.js 14", run: vitest("next-14") },
    { name: "build with SvelteKit 3", needs: "build", run: command("pnpm --filter bindings-sveltekit-3 build:long") },
    { name: "framework adapters, long", needs: "build with SvelteKit 3", run: vitest("bindings") },
    { name: "other package managers", weight: 2, run: vitest("install-all") },
    { name: "public applications", weight: 2, needs: "build", run: vitest("applications", { timeout: 3 * HOUR }) },
    { name: "fuzz", needs: "applications", run: command("node tests/fuzz/fuzz.mjs --seconds 60 --next") },
    // Beside the unit tests there is no room for those with a weight of 2, which would hold up the others.
  ].map((step) => ({ ...step, only: "all", ...(step.weight === 2 && { after: "unit tests" }) })),
];

/** The unit tests that are nearest to what differs from main, and which are left out. */
async function runAffected() {
  const git = async (line) => {
    const { output, failed } = await runCommand(["git", ...line.split(" ")]);
    return failed ? [] : output.split("\n").filter(Boolean);
  };
  const [since = "HEAD"] = await git("merge-base HEAD main");
  const differ = await git(`diff --name-only ${since}`);
  const changed = [...differ, ...(await git("ls-files --others --exclude-standard"))];
  const { chosen, left } = chooseTests(changed, readTree(dirname(import.meta.dirname)));
  if (chosen.length === 0) return { passed: 0, failed: 0, skipped: 0, show: "None imports what differs.", output: "" };
  const result = await runVitest(["unit", "unit-apart"], { args: ["--passWithNoTests", ...chosen] });
  return { ...result, show: [result.show, describeLeft(left)].join("\n") };
}

/** Test files that were not run, as counts by package. */
function describeLeft(left) {
  const counts = new Map();
  for (const path of left) {
    const folder = path.split("/").slice(0, 2).join("/");
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const list = [...counts].map(([folder, count]) => `${folder} ${count}`);
  return left.length === 0 ? "" : `Left out: ${left.length} test files that npm test runs (${list.join(", ")}).`;
}

endAllOnSignal();
const chosen = steps.filter((step) => (mode === "fast" ? step.fast : step.only === undefined || step.only === mode));
if (mode === "all") {
  // Property tests use new cases in each run, and more of them.
  process.env.CARDEA_TEST_LONG = "1";
  process.env.CARDEA_TEST_SEED ??= String(randomInt(2 ** 31));
  console.log(`Property tests use the seed ${process.env.CARDEA_TEST_SEED} (CARDEA_TEST_SEED repeats it).`);
}
const total = tally(await runSteps(chosen, { inOrder: mode !== "all" }), { ci: Boolean(process.env.CI) });
console.log(`\n${totalLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
