import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkManifests, writeManifests } from "./check-manifests.mjs";
import { plantTree } from "./plant-tree.mjs";

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const origin = {
  repository: { type: "git", url: "git+https://git.example.com/us/it.git" },
  bugs: { url: "https://git.example.com/us/it/issues" },
};

describe("checkManifests()", () => {
  it("refuses a package that does not say where it comes from, and accepts what writeManifests() wrote", () => {
    const manifest = json({ name: "x", license: "ISC", homepage: "https://elsewhere.example.com", type: "module" });
    const root = plantTree({ "package.json": json(origin), "packages/x/package.json": manifest });
    expect(checkManifests(root).join()).toContain("packages/x/package.json:1 is out of date");
    expect(writeManifests(root)).toEqual([]);
    expect(checkManifests(root)).toEqual([]);
    expect(JSON.parse(readFileSync(join(root, "packages/x/package.json"), "utf8"))).toEqual({
      name: "x",
      license: "ISC",
      repository: { ...origin.repository, directory: "packages/x" },
      homepage: "https://git.example.com/us/it/tree/main/packages/x#readme",
      bugs: origin.bugs,
      type: "module",
    });
  });

  it("repeats what `exports` says for those who do not read it", () => {
    const entry = (name) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });
    const exports = { ".": entry("index"), "./more": entry("more"), "./package.json": "./package.json" };
    const manifest = json({ name: "x", license: "ISC", exports, files: [] });
    const root = plantTree({ "package.json": json(origin), "packages/x/package.json": manifest });
    writeManifests(root);
    const written = JSON.parse(readFileSync(join(root, "packages/x/package.json"), "utf8"));
    expect(written).toMatchObject({ main: "./dist/index.js", types: "./dist/index.d.ts" });
    expect(written.typesVersions).toEqual({ "*": { more: ["./dist/more.d.ts"] } });
    expect(Object.keys(written).slice(-5)).toEqual(["exports", "main", "types", "typesVersions", "files"]);
  });

  it("does not look at private packages", () => {
    const manifest = json({ name: "x", private: true });
    expect(checkManifests(plantTree({ "package.json": json(origin), "packages/x/package.json": manifest }))).toEqual(
      [],
    );
  });
});
