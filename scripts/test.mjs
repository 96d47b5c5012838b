// The whole of `npm test`: every check and every test, ending with one line `N passed, M failed`.
//
//   node scripts/test.mjs           everything
//   node scripts/test.mjs --fast    what needs no build and no browser: the loop while working (`pnpm check`)
//
// A failing step does not stop the others, except those that `need` it. In CI (env CI) nothing may be skipped.
import { requireChromium } from "./find-chromium.mjs";
import { endAllOnSignal, runCommand } from "./run-command.mjs";
import { runVitest } from "./run-vitest.mjs";
import { runSteps, tally, totalLine } from "./steps.mjs";

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
  { name: "tests by number", fast: true, run: () => runCommand(["node", "scripts/coverage.mjs"]) },
  { name: "code in documents", fast: true, run: () => runCommand(["node", "scripts/check-snippets.mjs"]) },
  { name: "paths and lockfile", fast: true, run: () => runCommand(["node", "scripts/check-tree.mjs"]) },
  { name: "unused code", run: () => runCommand(["knip", "--no-progress", "--no-config-hints"]) },
  { name: "unit tests", fast: true, alone: true, run: () => runVitest("unit") },
  { name: "build", run: () => runCommand(["turbo", "run", "build", "--output-logs=errors-only"]) },
  { name: "packages", needs: "build", run: () => runCommand(["node", "scripts/check-packages.mjs"]) },
  { name: "import cost", needs: "build", show: true, run: () => runCommand(["node", "scripts/check-imports.mjs"]) },
  { name: "bundle size", needs: "build", show: true, run: () => runCommand(["node", "scripts/check-size.mjs"]) },
  { name: "demo and browser tests", needs: "build", alone: true, run: runBrowserTests },
];

/** Browser tests where there is, or can be, a Chromium; otherwise only those of e2e/ that need none, and a word why. */
async function runBrowserTests() {
  const { path, advice } = await requireChromium();
  if (path) return runVitest("browser", { env: { CHROMIUM_PATH: path } });
  const result = await runVitest("browser", { env: { CARDEA_TEST_WITHOUT_BROWSER: "1" } });
  return {
    ...result,
    skipped: result.skipped + 1,
    show: `The browser tests are skipped. ${advice}\n${result.show ?? ""}`,
  };
}

endAllOnSignal();
const fast = process.argv.includes("--fast");
const results = await runSteps(fast ? steps.filter((step) => step.fast) : steps);
const total = tally(results, { ci: Boolean(process.env.CI) });
console.log(`\n${totalLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
