import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { defineConfig } from "vitest/config";

// Tests run each part of the code for a short time, so that V8's optimizing compilers cost more than they save. For all threads: none for
// WebAssembly, and on Node 20 functions run seven times as long as by default before they are optimized. Later versions do that themselves.
// The simple compiler pays from the first call: it takes a twentieth off the whole.
for (const flag of ["--liftoff-only", "--always-sparkplug"]) setFlagsFromString(flag);
if (process.versions.node.startsWith("20.")) setFlagsFromString("--interrupt-budget=1000000");
// And most of what they make is not used for long: collecting it less often takes a twentieth less time.
for (const flag of ["--min-semi-space-size=32", "--max-semi-space-size=64"]) setFlagsFromString(flag);

// Unit tests run against the sources, no build needed. tsconfig.json says where each package's sources are; this
// only repeats it to vitest.
interface Tsconfig {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
}
const root = import.meta.dirname;
const { compilerOptions }: Tsconfig = JSON.parse(readFileSync(`${root}/tsconfig.json`, "utf8"));
const alias = Object.entries(compilerOptions.paths).map(([pattern, [target = ""]]) => ({
  find: new RegExp(`^${pattern.replace("*", "([^/]+)")}$`),
  replacement: target.replace(/^\./, root).replace("*", "$1"),
}));

// Files whose tests have a long form only.
const needTime = process.env.CARDEA_TEST_LONG ? [] : ["**/*.long.test.ts"];
// The tests that Auth.js has for its adapters, in a checkout of its repository.
const needSuite = process.env.CARDEA_AUTHJS_SUITE ? [] : ["**/authjs-suite.test.ts"];
const exclude = ["**/node_modules/**", "**/dist/**", ...needTime, ...needSuite];
// Set by tools/test.mjs on a machine without Chromium, which then counts these as skipped.
const needBrowser = process.env.CARDEA_TEST_WITHOUT_BROWSER ? ["**/*.e2e{,.long}.test.ts"] : [];

// Of tests/e2e/: against the built packages and the built applications. `*.e2e.test.ts` need Chromium, the others do not. All files share one
// worker and its modules, and by that one Chromium and one Next.js.
const processes = {
  isolate: false,
  maxWorkers: 1,
  exclude: [...exclude, ...needBrowser],
};

const WORKERS = Math.max(2, availableParallelism() - 1);

/**
 * React keeps the window, and @cardea/next the `basePath` and modules of Next.js, from when they are loaded; the pools of the MariaDB driver
 * have timers by `Date`, which go on each millisecond once another file has moved the clock: each file has its own.
 */
const keepState = [
  "packages/adapter-prisma/src/databases/{ended-rows.test,{isolation,mariadb,passkeys,second-factor,store.mariadb}.long.test}.ts",
  "packages/client/src/{create-react-client,hydration,react,session-provider,use-session}.test.ts",
  "packages/next/src/{app-path,create-auth,index}.test.ts",
  "tests/compat/never-wider/{never-wider,former-answers.long}.test.ts",
];
const setupFiles = [
  "tests/setup/property-seed.ts",
  "tests/setup/leave-nothing.ts",
  "tests/setup/load-logger.ts",
  "packages/core/test/harness/watch-cases.ts",
];
const ownModules = { pool: "threads", setupFiles } as const;
/** Other modules have no state that a test file could leave behind: they are loaded once for each worker, not for each file. */
const sharedModules = {
  ...ownModules,
  isolate: false,
  setupFiles: [...setupFiles, "tests/setup/count-own-timers.ts"],
};

const belowPath = "tests/e2e/{next-shop*,next-split.long,open-{app,pages}.long,proxied.long}.test.ts";

/** Publishes the built packages to a registry of this machine, and installs them from there. */
const installs = { exclude, testTimeout: 600_000, hookTimeout: 600_000, sequence: { groupOrder: 2 } };

export default defineConfig({
  resolve: { alias },
  test: {
    environment: "node",
    // No test measures time: a limit only ends what hangs, also on a machine that does much else. Only tests of an hour set another one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Vitest leaves one processor to itself, which of two is half.
    maxWorkers: WORKERS,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "packages/*/src/**/*.test.ts",
            "packages/*/test/**/*.test.ts",
            "examples/**/*.test.ts",
            "tools/**/*.test.mjs",
            "tests/compat/**/*.test.{ts,mjs}",
            "tests/databases/**/*.test.ts",
            "tests/fleet/**/*.test.ts",
            "tests/scale/**/*.test.ts",
            "tests/guides/**/*.test.{ts,mjs}",
          ],
          exclude: [...exclude, ...keepState],
          ...sharedModules,
        },
      },
      {
        extends: true,
        // After the others: a thread that had a window keeps its `Request` and `Response`, and may be given another file.
        test: { name: "unit-apart", include: keepState, exclude, sequence: { groupOrder: 6 }, ...ownModules },
      },
      {
        // The tests of @cardea/next once more, with the Next.js before. Before a release. What needs a build of it is in
        // `browser-next-15`.
        extends: true,
        resolve: { alias: { next: `${root}/tests/e2e/next-15/node_modules/next` } },
        test: {
          name: "next-15",
          include: ["packages/next/src/**/*.test.ts"],
          // The compiler reads the paths of tsconfig.json, which name one Next.js.
          exclude: [...exclude, "**/types.test.ts"],
          ...ownModules,
        },
      },
      {
        // With npm, at every change.
        extends: true,
        test: {
          ...installs,
          name: "install",
          include: ["tests/install/as-a-user.test.mjs"],
          env: { CARDEA_PACKAGE_MANAGERS: "npm" },
        },
      },
      {
        // Before a release. The version test is about changesets.
        extends: true,
        test: {
          ...installs,
          name: "install-all",
          include: ["tests/install/{as-a-*,versions}.test.mjs"],
          env: { CARDEA_PACKAGE_MANAGERS: "pnpm yarn" },
        },
      },
      {
        // Public applications, each installed and built twice: takes minutes for each. Before a release.
        extends: true,
        test: {
          ...installs,
          name: "applications",
          include: ["tests/applications/**/*.test.mjs"],
          testTimeout: 1_800_000,
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        test: {
          ...processes,
          name: "browser",
          include: ["tests/e2e/**/*.test.ts"],
          exclude: [...processes.exclude, belowPath],
        },
      },
      {
        // The application of the tests below a path, which takes a build of its own. Before a release.
        extends: true,
        test: { ...processes, name: "browser-shop", include: [belowPath], sequence: { groupOrder: 4 } },
      },
      {
        // The same application, built with the Next.js before. Before a release.
        extends: true,
        test: {
          ...processes,
          name: "browser-next-15",
          include: ["tests/e2e/next-{rows,bypass,actions.e2e,shop.long,shop.e2e.long}.test.ts"],
          env: { CARDEA_NEXT: "next-15" },
          sequence: { groupOrder: 1 },
        },
      },
      {
        // And with the oldest that is supported, on React 18. Part of the long form only: `pnpm --filter e2e-next-14 build:long`, then
        // `vitest run --project next-14`.
        extends: true,
        test: {
          ...processes,
          name: "next-14",
          include: ["tests/e2e/next-{rows,bypass,shop.long}.test.ts"],
          env: { CARDEA_NEXT: "next-14" },
          sequence: { groupOrder: 3 },
        },
      },
      {
        // The journeys of `bindingContract` through the built packages, on every framework.
        extends: true,
        test: {
          name: "bindings",
          include: ["tests/bindings/**/*.test.ts"],
          exclude,
          // The applications under test are other processes, or servers that their test closes.
          ...{ pool: "threads", isolate: false },
          setupFiles: ["tests/setup/property-seed.ts", "tests/setup/leave-nothing.ts"],
        },
      },
      {
        // The built packages on every runtime that docs/frameworks.md names; needs no browser.
        extends: true,
        test: {
          name: "runtimes",
          include: ["tests/runtimes/**/*.test.ts"],
          exclude,
        },
      },
    ],
  },
});
