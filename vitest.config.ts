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

// Of e2e/: against the built packages and the built demos. `*.e2e.test.ts` need Chromium, the others do not.
const processes = {
  exclude: [...exclude, ...needBrowser],
  // One browser and one demo at a time: two cores are soon busy, and ports and screenshots are shared.
  fileParallelism: false,
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

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
          exclude: [...exclude, "scripts/install/**"],
          // Starts sooner than processes do, and isolates a file as well.
          pool: "threads",
        },
      },
      {
        // Publishes the built packages to a registry of this machine, and installs them from there.
        extends: true,
        test: {
          name: "install",
          include: ["scripts/install/**/*.test.mjs"],
          exclude,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { ...processes, name: "browser", include: ["e2e/**/*.test.ts"] },
      },
      {
        // The same application, built with the Next.js before.
        extends: true,
        test: {
          ...processes,
          name: "browser-next-15",
          include: ["e2e/next-{rows,bypass,actions.e2e,shop,shop.e2e}.test.ts"],
          env: { CARDEA_NEXT: "next-15" },
          sequence: { groupOrder: 1 },
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
