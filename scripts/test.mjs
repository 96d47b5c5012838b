// The whole of `npm test`: every check and every test, ending with one line `N passed, M failed`.
//
//   node scripts/test.mjs           everything
//   node scripts/test.mjs --fast    what needs no build and no browser: the loop while working (`pnpm check`)
//
// A failing step does not stop the others, except those that `need` it. In CI (env CI) nothing may be skipped.
import { dirname } from "node:path";
import { checkReport } from "./compatibility.mjs";
import { requireChromium } from "./find-chromium.mjs";
import { endAllOnSignal, runCommand } from "./run-command.mjs";
import { runVitest } from "./run-vitest.mjs";
import { runSteps, tally, totalLine } from "./steps.mjs";

const root = dirname(import.meta.dirname);
const tsc = ["tsc", "--noEmit", "--pretty", "false", "-p"];

/** In the order in which they are reported. `show`: its output matters when it passes, too. */
const steps = [
  { name: "types", fast: true, run: () => runCommand([...tsc, "tsconfig.json"]) },
  // Again without Node's types: no Node global sneaks into what must run on every runtime.
  { name: "types, any runtime", fast: true, run: () => runCommand([...tsc, "tsconfig.portable.json"]) },
  {
    name: "lint and format",
    fast: true,
    run: () => runCommand(["biome", "check", "--colors=off", "--error-on-warnings", "."]),
  },
  { name: "layers", fast: true, run: () => runCommand(["node", "scripts/check-layers.mjs"]) },
  { name: "rules", fast: true, show: true, run: () => runCommand(["node", "scripts/check-rules.mjs"]) },
  { name: "doc comments", fast: true, run: () => runCommand(["node", "scripts/check-docs.mjs"]) },
  { name: "list of errors", fast: true, run: () => runCommand(["node", "scripts/docs-errors.mjs"]) },
  { name: "script of passkeys", fast: true, run: () => runCommand(["node", "scripts/passkey-script.mjs"]) },
  { name: "tests by number", fast: true, run: () => runCommand(["node", "scripts/coverage.mjs"]) },
  { name: "security checklist", fast: true, run: () => runCommand(["node", "scripts/check-security.mjs"]) },
  { name: "code in documents", fast: true, run: () => runCommand(["node", "scripts/check-snippets.mjs"]) },
  { name: "table of runtimes", fast: true, run: () => runCommand(["node", "scripts/compatibility.mjs"]) },
  { name: "manifests", fast: true, run: () => runCommand(["node", "scripts/check-manifests.mjs"]) },
  { name: "READMEs", fast: true, run: () => runCommand(["node", "scripts/check-readmes.mjs"]) },
  { name: "options in documents", fast: true, run: () => runCommand(["node", "scripts/check-options.mjs"]) },
  { name: "paths and lockfile", fast: true, run: () => runCommand(["node", "scripts/check-tree.mjs"]) },
  { name: "documentation site", run: () => runCommand(["pnpm", "run", "docs:build"]) },
  { name: "unused code", run: () => runCommand(["knip", "--no-progress", "--no-config-hints"]) },
  { name: "unit tests", fast: true, alone: true, run: () => runVitest("unit") },
  { name: "build", run: () => runCommand(["turbo", "run", "build", "--output-logs=errors-only"]) },
  { name: "packages", needs: "build", run: () => runCommand(["node", "scripts/check-packages.mjs"]) },
  { name: "public surface", needs: "build", run: () => runCommand(["node", "scripts/check-api.mjs"]) },
  { name: "import cost", needs: "build", show: true, run: () => runCommand(["node", "scripts/check-imports.mjs"]) },
  { name: "bundle size", needs: "build", show: true, run: () => runCommand(["node", "scripts/check-size.mjs"]) },
  { name: "as a user installs it", needs: "build", alone: true, run: () => runVitest("install") },
  { name: "runtimes", needs: "build", run: runRuntimes },
  { name: "demo and browser tests", needs: "build", alone: true, run: runBrowserTests },
];

/** Browser tests where there is, or can be, a Chromium; otherwise only those of e2e/ that need none, and a word why. */
async function runBrowserTests() {
  const { path, advice } = await requireChromium();
  if (path) return runVitest("browser*", { env: { CHROMIUM_PATH: path } });
  const result = await runVitest("browser*", { env: { CARDEA_TEST_WITHOUT_BROWSER: "1" } });
  return {
    ...result,
    skipped: result.skipped + 1,
    show: `The browser tests are skipped. ${advice}\n${result.show ?? ""}`,
  };
}

/** The application of runtimes/ on each of them; what this machine cannot run is skipped with a word. */
async function runRuntimes() {
  const result = await runVitest("runtimes");
  const problems = checkReport(root, result.report);
  const advice =
    "Some runtimes are skipped: their packages are for Linux on x64, and Node 20 is the one that runs this.";
  const output = [result.output, ...problems].join("\n");
  return { ...result, failed: result.failed + problems.length, output, show: result.skipped > 0 ? advice : "" };
}

endAllOnSignal();
const fast = process.argv.includes("--fast");
const results = await runSteps(fast ? steps.filter((step) => step.fast) : steps);
const total = tally(results, { ci: Boolean(process.env.CI) });
console.log(`\n${totalLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
