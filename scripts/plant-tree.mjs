// Trees for the tests of the checks: a few files in a folder of their own, gone after the test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes files, path → text, below a new folder and returns that folder. */
export function plantTree(files) {
  const root = mkdtempSync(join(tmpdir(), "cardea-tree-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** The same with files of one package, paths relative to its src. */
export function plantPackage(name, files) {
  const sources = Object.entries(files).map(([path, text]) => [`packages/${name}/src/${path}`, text]);
  return plantTree({
    [`packages/${name}/package.json`]: `{ "name": "@cardea/${name}" }`,
    ...Object.fromEntries(sources),
  });
}
