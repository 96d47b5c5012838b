// Runs the tests of this repository. The last line of the output is `N passed, M failed`.
//
//   node tools/test.mjs            everything that a change must pass (`npm test`)
//   node tools/test.mjs --fast     during development (`pnpm check`): no build, and only tests that the change affects
//   node tools/test.mjs --all      before a release (`npm run test:all`): also other package managers, older Next.js, the website
//
// A failing step does not stop the others, except those that need it. In CI (variable CI) nothing may be skipped.
import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { runTsc } from "./compile.mjs";
import { requireProgram } from "./find-program.mjs";
import { endAllOnSignal, runCommand } from "./run-command.mjs";
import { runVitest } from "./run-vitest.mjs";
import { runSteps, tally, totalLine } from "./steps.mjs";

const command =
  (...words) =>
  () =>
    runCommand(words);
const tool = (name) => command("node", `tools/${name}.mjs`);
const turbo = (...words) => command("turbo", "run", ...words, "--output-logs=errors-only");

/** What takes most of the time to build, and few steps need. */
const OTHER_APPLICATIONS = ["e2e", "example-next", "example-sveltekit", "bindings-sveltekit"].map(
  (name) => `--filter=${name}`,
);

/** The steps, in the order of the report. `show`: print the output even if the step passes. `early`, `after`, `weight`: see steps.mjs. */
const steps = [
  { name: "build", early: true, weight: 2, run: turbo("build:packages") },
  { name: "example for Express", early: true, needs: "build", run: turbo("build", "--filter=example-express") },
  { name: "other applications", early: true, needs: "build", run: buildOthers },
  { name: "Chromium", weight: 0, run: () => findChromium().then(() => ({ passed: 0, failed: 0, skipped: 0 })) },
  { name: "types", fast: true, run: () => runTsc(["-p", "tsconfig.json"]) },
  // Their builds do not check types, but write those of their routes.
  { name: "types of Next.js' routes", needs: "other applications", run: checkNextTypes },
  // Again without Node's types, to find Node globals in code that must run on every runtime.
  { name: "types, any runtime", fast: true, run: () => runTsc(["-p", "tsconfig.portable.json"]) },
  { name: "lint and format", fast: true, run: command("biome", "check", "--colors=off", "--error-on-warnings", ".") },
  { name: "layers", fast: true, run: tool("check-layers") },
  { name: "text", fast: true, run: tool("check-text") },
  { name: "manifests and READMEs", fast: true, run: tool("packages") },
  { name: "script of passkeys", fast: true, run: tool("passkey-script") },
  { name: "links in documents", fast: true, run: tool("check-links") },
  { name: "affected tests", fast: true, only: "fast", weight: 2, run: runAffected },
  { name: "options in documents", run: tool("check-options") },
  { name: "code in documents", run: tool("check-snippets") },
  { name: "unused code", run: command("knip", "--no-progress", "--no-config-hints") },
  { name: "packages", needs: "build", run: tool("check-packages") },
  { name: "public surface", needs: "build", run: tool("check-api") },
  { name: "bundle size", needs: "build", show: true, run: tool("check-size") },
  // Early, because they take longest. Browser tests beside them wait half of the time.
  { name: "unit tests", early: true, after: "build", weight: 2, run: runUnitTests },
  { name: "as a user installs it", needs: "build", run: () => runVitest(["install"]) },
  { name: "runtimes", needs: "build", run: runRuntimes },
  // Without tests that need a separate build; with --all, these have their own steps.
  {
    name: "framework adapters",
    needs: "other applications",
    run: () => runVitest(["bindings"], { env: { CARDEA_TEST_LONG: "" } }),
  },
  { name: "fuzz", needs: "build", run: command("node", "tests/fuzz/fuzz.mjs", "--requests", "2500", "--seed", "1") },
  {
    name: "demo and browser tests",
    early: true,
    needs: "example for Express",
    run: () => runBrowserTests(["browser"]),
  },
  {
    name: "browser, other examples",
    early: true,
    needs: ["other applications", "example for Express"],
    run: () => runBrowserTests(["browser-others"]),
  },
  { name: "build below a path", only: "all", needs: "build", run: command("pnpm", "--filter", "e2e", "build:long") },
  {
    name: "browser, below a path",
    only: "all",
    weight: 2,
    needs: "build below a path",
    run: () => runBrowserTests(["browser-shop"]),
  },
  // Applications cannot update bundled dependencies themselves.
  { name: "bundled dependencies", only: "all", show: true, run: reportBundled },
  { name: "documentation site", only: "all", run: command("pnpm", "run", "docs:build") },
  { name: "build with Next.js 15", only: "all", run: turbo("build", "--filter=e2e-next-15") },
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
    needs: "other applications",
    run: command("node", "tests/fuzz/fuzz.mjs", "--seconds", "60", "--next"),
  },
];

/** As they are before a release; otherwise Next.js minifies nothing. */
function buildOthers() {
  const env = mode === "all" ? {} : { CARDEA_TEST_BUILD: "1" };
  return runCommand(["turbo", "run", "build", ...OTHER_APPLICATIONS, "--output-logs=errors-only"], { env });
}

/** With the compiler of the step `types`, which takes a fifth of the time of the one that `next build` would run. */
async function checkNextTypes() {
  const folders = ["examples/next", "tests/e2e/next-app"];
  const check = (folder) => runTsc(["-p", folder, "--noEmit", "--incremental", "false"]);
  const results = await Promise.all(folders.map(check));
  return { ...tally(results, { ci: false }), output: results.map(({ output }) => output).join("\n") };
}

/** Unit tests that differ from main, or import something that does. */
async function runAffected() {
  const { output, failed } = await runCommand(["git", "merge-base", "HEAD", "main"]);
  const since = failed ? "HEAD" : output.trim();
  const { env } = await findOathtool();
  return runVitest(["unit", "unit-apart"], { env, args: [`--changed=${since}`, "--passWithNoTests"] });
}

/** Compares TOTP codes with those of oathtool, if installed; otherwise reports why not. */
async function runUnitTests() {
  const { env, advice } = await findOathtool();
  // One more than processors: some files wait for processes that they start, or for time to pass.
  const args = [`--maxWorkers=${availableParallelism() + 1}`];
  const result = await runVitest(["unit", "unit-apart", ...(mode === "all" ? ["next-15"] : [])], { env, args });
  if (advice === undefined) return result;
  return { ...result, show: `SKIPPED: codes made by oathtool. ${advice}\n${result.show ?? ""}` };
}

async function findOathtool() {
  const { path, advice } = await requireProgram("oathtool");
  return { env: path ? { OATHTOOL_PATH: path } : { CARDEA_TEST_WITHOUT_OATHTOOL: "1" }, advice };
}

let chromium;

/** Looked up once for all steps, by one that runs in parallel with others, because the installation may take half a minute. */
function findChromium() {
  chromium ??= requireProgram("Chromium");
  return chromium;
}

/** Browser tests, if Chromium is installed or can be; otherwise only the tests in tests/e2e/ that need no browser, with the reason. */
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

/** Reports newer versions of the dependencies that are bundled into core; never fails. */
async function reportBundled() {
  const { output } = await runCommand(["pnpm", "--filter", "@cardea/core", "outdated", "--dev"]);
  return { passed: 1, failed: 0, skipped: 0, output };
}

/** Tests `adopt` on public applications. Skipped, with the reason, if neither a folder of snapshots nor GitHub provides them. */
async function runApplications() {
  const result = await runVitest(["applications"], { timeout: 3 * 60 * 60 * 1000 });
  const reasons = [...new Set(result.output.match(/SKIPPED: .*/g))];
  return { ...result, passed: result.passed - reasons.length, skipped: reasons.length, show: reasons.join("\n") };
}

/** The application of tests/runtimes/ on each runtime. Runtimes that this machine cannot run are skipped, with the reason. */
async function runRuntimes() {
  const result = await runVitest(["runtimes"]);
  const advice = "SKIPPED: some runtimes. Their packages are for Linux on x64, and Node 20 is the one that runs this.";
  return { ...result, show: result.skipped > 0 ? advice : "" };
}

endAllOnSignal();
const mode = ["fast", "all"].find((name) => process.argv.includes(`--${name}`));
const chosen = steps.filter((step) => (mode === "fast" ? step.fast : step.only === undefined || step.only === mode));
if (mode === "all") {
  // Property tests use new cases in each run, and more of them.
  process.env.CARDEA_TEST_LONG = "1";
  process.env.CARDEA_TEST_SEED ??= String(randomInt(2 ** 31));
  console.log(`Property tests use the seed ${process.env.CARDEA_TEST_SEED} (CARDEA_TEST_SEED repeats it).`);
}
const results = await runSteps(chosen);
const total = tally(results, { ci: Boolean(process.env.CI) });
console.log(`\n${totalLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
