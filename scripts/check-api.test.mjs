import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkApi, writeApi } from "./check-api.mjs";
import { plantTree } from "./plant-tree.mjs";

const exports = {
  ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
  "./more": { types: "./dist/more.d.ts", default: "./dist/more.js" },
  "./package.json": "./package.json",
};
const plant = (files = {}, manifest = {}) => {
  const whole = { name: "@cardea/x", version: "1.0.0", type: "module", exports, ...manifest };
  return plantTree({
    "packages/x/package.json": JSON.stringify(whole),
    "packages/x/dist/index.d.ts":
      'import type { Kept } from "./kept.js";\n/** Unlocks. */\nexport declare function unlock(): Kept;\n',
    "packages/x/dist/kept.d.ts": "export interface Kept {\n  readonly by: string;\n}\n",
    "packages/x/dist/more.d.ts": "/** More. */\nexport declare const more = 1;\n",
    ...files,
  });
};
const change = (root, path, from, to) => {
  writeFileSync(join(root, path), readFileSync(join(root, path), "utf8").replace(from, to));
};

describe("checkApi()", { timeout: 60_000 }, () => {
  it("accepts the reports that writeApi() wrote, one for each entry point", () => {
    const root = plant();
    expect(writeApi(root)).toEqual([]);
    expect(checkApi(root)).toEqual([]);
    expect(readFileSync(join(root, "published/api/x.api.md"), "utf8")).toContain("function unlock(): Kept;");
    expect(readFileSync(join(root, "published/api/x.more.api.md"), "utf8")).toContain("const more = 1;");
  });

  it("refuses a change of what is exported, and of a type that only a signature names", () => {
    const root = plant();
    writeApi(root);
    change(root, "packages/x/dist/more.d.ts", "more = 1", "more = 2");
    change(root, "packages/x/dist/kept.d.ts", "by: string", "by: number");
    const problems = checkApi(root);
    expect(problems.find((problem) => problem.includes("x.api.md"))).toContain("+     readonly by: number;");
    expect(problems.find((problem) => problem.includes("x.more.api.md"))).toContain("+ export const more = 2;");
  });

  it("refuses a report of a package that is gone", () => {
    const root = plant({ "published/api/y.api.md": "y" });
    writeApi(root);
    expect(checkApi(root)).toEqual([]);
    writeFileSync(join(root, "published/api/y.api.md"), "y");
    expect(checkApi(root)).toEqual([
      expect.stringMatching(/^published\/api\/y\.api\.md:1 describes what is not there/),
    ]);
  });

  it("refuses packages that are not built", () => {
    const root = plant();
    rmSync(join(root, "packages/x/dist/more.d.ts"));
    expect(checkApi(root)).toEqual([expect.stringMatching(/more\.d\.ts is missing: build it$/)]);
  });

  it("does not look at private packages", () => {
    expect(checkApi(plant({}, { private: true }))).toEqual([]);
  });
});
