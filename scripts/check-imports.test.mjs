import { describe, expect, it } from "vitest";
import { checkImports } from "./check-imports.mjs";
import { plantTree } from "./plant-tree.mjs";

function plant(code) {
  return plantTree({
    "packages/core/package.json": "{}",
    "packages/core/dist/index.js": "export {};",
    "packages/providers-x/package.json": `{ "type": "module" }`,
    "packages/providers-x/dist/index.js": code,
  });
}

describe("checkImports()", () => {
  it("says what an import takes", async () => {
    const { problems, notes } = await checkImports(plant("export const a = 1;"), { max: 1000 });
    expect(problems).toEqual([]);
    expect(notes[0]).toMatch(/x \d+\.\d$/);
  });

  it("refuses a slow one", async () => {
    const code = "const end = performance.now() + 15; while (performance.now() < end);";
    expect((await checkImports(plant(code))).problems).toEqual([
      expect.stringMatching(/^providers-x takes x \d+\.\d ms/),
    ]);
  });

  it("refuses one that cannot be imported", async () => {
    await expect(checkImports(plant("import 'nowhere';"))).rejects.toThrow("nowhere");
  });
});
