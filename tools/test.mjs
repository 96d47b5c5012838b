// The tests of this repository, ending with one line `N passed, M failed`.
//
//   node tools/test.mjs            what a change must pass (`npm test`)
//   node tools/test.mjs --fast     the loop while working (`pnpm check`): no build, and only tests that the change affects
//   node tools/test.mjs --all      before a release (`npm run test:all`): also other package managers, older Next.js, the site
//
// A failing step does not stop the others, except those that `need` it. In CI (env CI) nothing may be skipped.
import { randomInt } from "node:crypto";
import { requireChromium } from "./find-chromium.mjs";
import { endAllOnSignal, runCommand } from "./run-command.mjs";
import { runVitest } from "./run-vitest.mjs";
import { runSteps, tally, totalLine } from "./steps.mjs";

// TypeScript 7, which checks in a quarter of the time; declarations are made with the version that `typescript` names.
const tsc = ["node", "tests/compat/node_modules/typescript-7/bin/tsc", "--noEmit", "--pretty", "false", "-p"];
const command =
  (...words) =>
  () =>
    runCommand(words);
const tool = (name) => command("node", `tools/${name}.mjs`);

/** In the order in which they are reported. `show`: its output matters when it passes, too. `weight`: as steps.mjs counts it. */
const steps = [
  // First, because most of the others wait for it.
  { name: "build", run: command("turbo", "run", "build", "--filter=!e2e-next-15", "--output-logs=errors-only") },
  { name: "Chromium", weight: 0, run: () => findChromium().then(() => ({ passed: 0, failed: 0, skipped: 0 })) },
  { name: "types", fast: true, run: command(...tsc, "tsconfig.json") },
  // Again without Node's types: no Node global may get into what must run on every runtime.
  { name: "types, any runtime", fast: true, run: command(...tsc, "tsconfig.portable.json") },
  { name: "lint and format", fast: true, run: command("biome", "check", "--colors=off", "--error-on-warnings", ".") },
  { name: "layers", fast: true, run: tool("check-layers") },
  { name: "text", fast: true, run: tool("check-text") },
  { name: "manifests and READMEs", fast: true, run: tool("packages") },
  { name: "list of errors", fast: true, run: tool("docs-errors") },
  { name: "script of passkeys", fast: true, run: tool("passkey-script") },
  { name: "links in documents", fast: true, run: tool("check-links") },
  { name: "affected tests", fast: true, only: "fast", weight: 2, run: runAffected },
  { name: "options in documents", run: tool("check-options") },
  { name: "code in documents", run: tool("check-snippets") },
  { name: "unused code", run: command("knip", "--no-progress", "--no-config-hints") },
  { name: "packages", needs: "build", run: tool("check-packages") },
  { name: "public surface", needs: "build", run: tool("check-api") },
  { name: "bundle size", needs: "build", show: true, run: tool("check-size") },
  { name: "unit tests", weight: 2, run: () => runVitest(["unit", "unit-apart", "next-15"]) },
  { name: "as a user installs it", needs: "build", run: () => runVitest(["install"]) },
  { name: "runtimes", needs: "build", run: runRuntimes },
  // Without what takes a build of its own, also in the long form, which has a step for that.
  { name: "framework adapters", needs: "build", run: () => runVitest(["bindings"], { env: { CARDEA_TEST_LONG: "" } }) },
  { name: "fuzz", needs: "build", run: command("node", "tests/fuzz/fuzz.mjs", "--requests", "2500", "--seed", "1") },
  { name: "demo and browser tests", needs: "build", weight: 2, run: () => runBrowserTests(["browser"]) },
  { name: "build below a path", only: "all", needs: "build", run: command("pnpm", "--filter", "e2e", "build:long") },
  {
    name: "browser, below a path",
    only: "all",
    weight: 2,
    needs: "build below a path",
    run: () => runBrowserTests(["browser-shop"]),
  },
  // What is bundled does not come newer with an application's own installation.
  { name: "bundled dependencies", only: "all", show: true, run: reportBundled },
  { name: "documentation site", only: "all", run: command("pnpm", "run", "docs:build") },
  { name: "build with Next.js 15", only: "all", run: command("turbo", "run", "build", "--filter=e2e-next-15") },
  {
    name: "browser, Next.js 15",
    only: "all",
    weight: 2,
    needs: "build with Next.js 15",
    run: () => runBrowserTests(["browser-next-15"]),
  },
  { name: "build with Next.js 14", only: "all", run: command("pnpm", "--filter", "e2e-next-14", "build:long") },
  {
    name: "browser, Next.js 14",
    only: "all",
    weight: 2,
    needs: "build with Next.js 14",
    run: () => runBrowserTests(["next-14"]),
  },
  {
    name: "build with SvelteKit 3",
    only: "all",
    needs: "build",
    run: command("pnpm", "--filter", "bindings-sveltekit-3", "build:long"),
  },
  {
    name: "framework adapters, long",
    only: "all",
    needs: "build with SvelteKit 3",
    run: () => runVitest(["bindings"]),
  },
  { name: "other package managers", only: "all", weight: 2, run: () => runVitest(["install-all"]) },
  { name: "public applications", only: "all", weight: 2, needs: "build", run: runApplications },
  {
    name: "fuzz, long",
    only: "all",
    needs: "build",
    run: command("node", "tests/fuzz/fuzz.mjs", "--seconds", "60", "--next"),
  },
];

/** The unit tests that import what differs from main, and those that differ themselves. */
async function runAffected() {
  const { output, failed } = await runCommand(["git", "merge-base", "HEAD", "main"]);
  const since = failed ? "HEAD" : output.trim();
  return runVitest(["unit", "unit-apart"], { args: [`--changed=${since}`, "--passWithNoTests"] });
}

let chromium;

/** Once for all steps, and begun by one that runs beside others: it may take half a minute to install. */
function findChromium() {
  chromium ??= requireChromium();
  return chromium;
}

/** Browser tests where Chromium is installed or can be; otherwise only those of tests/e2e/ that need none, with the reason. */
async function runBrowserTests(projects) {
  const { path, advice } = await findChromium();
  if (path) return runVitest(projects, { env: { CHROMIUM_PATH: path } });
  const result = await runVitest(projects, { env: { CARDEA_TEST_WITHOUT_BROWSER: "1" } });
  return {
    ...result,
    skipped: result.skipped + 1,
    show: `SKIPPED: the tests in a browser. ${advice}\n${result.show ?? ""}`,
  };
}

/** Says which dependencies that are part of core's files have a newer version; never fails. */
async function reportBundled() {
  const { output } = await runCommand(["pnpm", "--filter", "@cardea/core", "outdated", "--dev"]);
  return { passed: 1, failed: 0, skipped: 0, output };
}

/** `adopt` on applications that others wrote; where neither a folder of snapshots nor GitHub has them, they are skipped, with the reason. */
async function runApplications() {
  const result = await runVitest(["applications"], { timeout: 3 * 60 * 60 * 1000 });
  const reasons = [...new Set(result.output.match(/SKIPPED: .*/g))];
  return { ...result, passed: result.passed - reasons.length, skipped: reasons.length, show: reasons.join("\n") };
}

/** The application of tests/runtimes/ on each runtime; those that this machine cannot run are skipped, with the reason. */
async function runRuntimes() {
  const result = await runVitest(["runtimes"]);
  const advice = "SKIPPED: some runtimes. Their packages are for Linux on x64, and Node 20 is the one that runs this.";
  return { ...result, show: result.skipped > 0 ? advice : "" };
}

endAllOnSignal();
const mode = ["fast", "all"].find((name) => process.argv.includes(`--${name}`));
const chosen = steps.filter((step) => (mode === "fast" ? step.fast : step.only === undefined || step.only === mode));
if (mode === "all") {
  // Property tests meet other cases each time, and more of them.
  process.env.CARDEA_TEST_LONG = "1";
  process.env.CARDEA_TEST_SEED ??= String(randomInt(2 ** 31));
  console.log(`Property tests use the seed ${process.env.CARDEA_TEST_SEED} (CARDEA_TEST_SEED repeats it).`);
}
const results = await runSteps(chosen);
const total = tally(results, { ci: Boolean(process.env.CI) });
console.log(`\n${totalLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
