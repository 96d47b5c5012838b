import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkPackages } from "./check-packages.mjs";
import { plantTree } from "./plant-tree.mjs";

// It packs with pnpm, which only `npm test` and `pnpm check` put on PATH.
const withoutPnpm = spawnSync("pnpm", ["--version"]).status !== 0;

function plant(manifest, files) {
  const exported = { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } };
  const whole = { name: "x", version: "1.0.0", license: "ISC", type: "module", exports: exported, ...manifest };
  const sources = { "package.json": JSON.stringify(whole), "README.md": "# x\n", LICENSE: "ISC\n", ...files };
  return plantTree(Object.fromEntries(Object.entries(sources).map(([path, text]) => [`packages/x/${path}`, text])));
}

const js = "export const a = 1;\n";
const types = "export declare const a = 1;\n";

describe.skipIf(withoutPnpm)("checkPackages()", { timeout: 60_000 }, () => {
  it("accepts a sound package", async () => {
    const root = plant({ files: ["dist"] }, { "dist/index.js": js, "dist/index.d.ts": types, "src/a.test.ts": "" });
    expect(await checkPackages(root)).toEqual([]);
  });

  it("refuses what publint refuses: a path that leads nowhere", async () => {
    const problems = await checkPackages(plant({ files: ["dist"] }, { "dist/index.mjs": js }));
    expect(problems).toEqual([expect.stringContaining("publint")]);
  });

  it("refuses what attw refuses: types that contradict the module", async () => {
    const exports = { ".": { types: "./dist/index.d.cts", default: "./dist/index.js" } };
    const files = { "dist/index.js": js, "dist/index.d.cts": types };
    const problems = await checkPackages(plant({ files: ["dist"], exports }, files));
    expect(problems.join("\n")).toContain("x: attw");
  });

  it("refuses a tarball with a test in it, and one without a README", async () => {
    const files = { "dist/index.js": js, "dist/index.d.ts": types, "dist/a.test.js": js };
    const root = plant({ files: ["dist"] }, files);
    rmSync(join(root, "packages/x/README.md"));
    expect(await checkPackages(root)).toEqual([
      "x: README.md is not in the tarball",
      "x: dist/a.test.js is in the tarball",
    ]);
  });

  it("does not look at private packages", async () => {
    expect(await checkPackages(plant({ private: true }, {}))).toEqual([]);
  });
});
