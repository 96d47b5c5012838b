import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

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

const exclude = ["**/node_modules/**", "**/dist/**"];
// Set by scripts/test.mjs on a machine without Chromium, which then counts these as skipped.
const needBrowser = process.env.CARDEA_TEST_WITHOUT_BROWSER ? ["**/*.e2e.test.ts"] : [];

export default defineConfig({
  resolve: { alias },
  test: {
    environment: "node",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "examples/**/*.test.ts", "scripts/**/*.test.mjs"],
          exclude,
          // Starts sooner than processes do, and isolates a file as well.
          pool: "threads",
        },
      },
      {
        // Against the built packages and the built demo. `*.e2e.test.ts` need Chromium, other tests of e2e/ do not.
        extends: true,
        test: {
          name: "browser",
          include: ["e2e/**/*.test.ts"],
          exclude: [...exclude, ...needBrowser],
          // One browser and one demo at a time: two cores are soon busy, and ports and screenshots are shared.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // The built packages on every runtime that the README names; needs no browser.
        extends: true,
        test: {
          name: "runtimes",
          include: ["runtimes/**/*.test.ts"],
          exclude,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
