import { rmSync } from "node:fs";
import { join } from "node:path";
import { pid } from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { writeProvider } from "./new-provider.mjs";

// As deep in the repository as packages are, so that what is generated finds tsconfig.base.json, vitest and the sources.
const root = join(import.meta.dirname, "..");
const folder = join(root, "coverage", `new-provider-${pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = writeProvider(folder, "my-company", "My Company");

describe("writeProvider()", () => {
  it("writes every file of a package", () => {
    expect(files.map((file) => file.slice(folder.length + 1)).sort()).toEqual([
      "LICENSE",
      "README.md",
      "package.json",
      "src/index.test.ts",
      "src/index.ts",
      "tsconfig.json",
      "tsup.config.ts",
    ]);
  });

  it.each(["", "Acme", "my_company", "-a", "a-", "../a"])("refuses the name %j", (name) => {
    expect(() => writeProvider(join(root, "coverage", "refused"), name)).toThrow("is no name for a provider");
  });

  it("writes over nothing", () => {
    expect(() => writeProvider(folder, "my-company")).toThrow("is there already");
  });
});

describe("the contract of the generated package", async () => {
  await import(join(folder, "src/index.test.ts"));
});
