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
  const old = { main: "./dist/index.js", types: "./dist/index.d.ts" };
  const whole = { name: "x", version: "1.0.0", license: "ISC", type: "module", exports: exported, ...old, ...manifest };
  const texts = { "README.md": "# x\n", LICENSE: "ISC\n", "CHANGELOG.md": "# x\n" };
  const sources = Object.entries({ "package.json": JSON.stringify(whole), ...texts, ...files });
  const planted = Object.fromEntries(sources.map(([path, text]) => [`packages/x/${path}`, text]));
  return plantTree({ ...planted, "published/files.txt": manifest.private ? "" : list });
}

/** What is committed of a sound package: a name with a hash stays the same when the hash does not. */
const list = "x\n  LICENSE\n  README.md\n  dist/chunk-[hash].js\n  dist/index.d.ts\n  dist/index.js\n  package.json\n";

const js = "export const a = 1;\n";
const types = "export declare const a = 1;\n";
const built = { "dist/index.js": js, "dist/index.d.ts": types, "dist/chunk-3MCG3HM3.js": js };
const files = ["dist", "CHANGELOG.md"];

describe.skipIf(withoutPnpm)("checkPackages()", { timeout: 60_000 }, () => {
  it("accepts a sound package", async () => {
    expect(await checkPackages(plant({ files }, { ...built, "src/a.test.ts": "" }))).toEqual([]);
  });

  it("refuses what publint refuses: a path that leads nowhere", async () => {
    const exports = { ".": { types: "./dist/index.d.ts", default: "./dist/index.mjs" } };
    const problems = await checkPackages(plant({ files, exports }, built));
    expect(problems.join("\n")).toContain("x: publint");
  });

  it("refuses what attw refuses: types that contradict the module", async () => {
    const exports = { ".": { types: "./dist/index.d.cts", default: "./dist/index.js" } };
    const problems = await checkPackages(plant({ files, exports }, { ...built, "dist/index.d.cts": types }));
    expect(problems.join("\n")).toContain("x: attw");
  });

  it("refuses a tarball with a test in it, and one without a README or a changelog", async () => {
    const root = plant({ files }, { ...built, "dist/a.test.js": js });
    rmSync(join(root, "packages/x/README.md"));
    rmSync(join(root, "packages/x/CHANGELOG.md"));
    expect(await checkPackages(root)).toEqual([
      "x: README.md is not in the tarball",
      "x: CHANGELOG.md is not in the tarball",
      "x: dist/a.test.js is in the tarball",
      expect.stringMatching(
        /^published\/files\.txt:1 is out of date[\s\S]*- {3}README\.md[\s\S]*\+ {3}dist\/a\.test\.js$/,
      ),
    ]);
  });

  it("asks for no changelog before the first version", async () => {
    const root = plant({ files, version: "0.0.0" }, built);
    rmSync(join(root, "packages/x/CHANGELOG.md"));
    expect(await checkPackages(root)).toEqual([]);
  });

  it("does not look at private packages", async () => {
    expect(await checkPackages(plant({ private: true }, {}))).toEqual([]);
  });
});
