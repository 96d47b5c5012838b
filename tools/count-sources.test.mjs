import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { countSources } from "./count-sources.mjs";

/** The numbers of a tree; paths of files are relative to the folder with its packages. */
function count(files) {
  const root = mkdtempSync(join(tmpdir(), "cardea-numbers-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  execFileSync("git", ["init", "-q"], { cwd: root });
  const index = { "core/package.json": "{}", "core/src/index.ts": "export {};\n", "core/api/index.api.md": "" };
  for (const [path, text] of Object.entries({ ...index, ...files })) {
    const target = join(root, "packages", path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return countSources(root);
}

it("counts lines of code in core and in the packages that take over its code, without comments, blank lines and tests", () => {
  const text = "/** A comment. */\nexport const a = 1; // one\n\n/* two\nlines */\nexport const b = 2;\n";
  const files = {
    "core/src/a.ts": text,
    "core/src/a.test.ts": text,
    "extend/package.json": "{}",
    "extend/src/b.ts": text,
  };
  expect(count({ ...files, "express/package.json": "{}", "express/src/c.ts": text })).toMatchObject({
    "all: lines of code": 5,
    "core: lines": 7,
    "core: files": 2,
    "core: files under 25 lines": 2,
  });
});

it("counts every exported name", () => {
  const text =
    'export const a = 1, b = 2;\nexport type T = 1;\nexport { c, d as e } from "./c.ts";\nexport * from "./d.ts";\n';
  expect(count({ "core/src/a.ts": text })["core: exported names"]).toBe(6);
});

it("counts the names in the reports of core and extend", () => {
  const report = "```ts\nexport const a = 1;\n\n// @public\nexport interface B {\n    c: 1;\n}\n```\n";
  const reports = { "core/api/index.api.md": report, "core/api/jwt.api.md": report, "extend/api/index.api.md": report };
  expect(count({ ...reports, "extend/package.json": "{}", "extend/src/index.ts": "" })["all: public names"]).toBe(6);
});

it("measures the longest chain of imports, with types, or with those on demand", () => {
  const files = {
    "core/src/index.ts": 'import { a } from "./a.ts";\nimport type { B } from "./b.ts";\n',
    "core/src/a.ts": 'export const a = () => import("./c.ts");\n',
    "core/src/b.ts": 'import { type D } from "./d.ts";\n',
    "core/src/c.ts": 'import { type D, e } from "./e.ts";\n',
    "core/src/d.ts": 'import type { F } from "./f.ts";\n',
    "core/src/e.ts": "export const e = 1;\n",
    "core/src/f.ts": 'import type { G } from "./g.ts";\n',
    "core/src/g.ts": "export {};\n",
  };
  expect(count(files)).toMatchObject({
    "core: depth with types": 5,
    "core: depth with import()": 4,
    "core: dynamic imports": 1,
  });
});

it("counts imports of parts by the kernel, without types; a part may import a part, an entry point everything", () => {
  const files = {
    "core/src/oauth/start.ts": 'import { u } from "../accounts/u.ts";\n',
    "core/src/accounts/u.ts": "export const u = 1;\n",
    "core/src/index.ts": 'import { u } from "./accounts/u.ts";\n',
    "core/src/sign-in/ways.ts": 'import { s } from "../oauth/start.ts";\nimport type { U } from "../accounts/u.ts";\n',
    "core/src/server/a.ts": 'export const a = () => import("../accounts/u.ts");\n',
  };
  expect(count(files)["core: kernel imports part"]).toBe(2);
});

it("counts calls by name, also of members, and not where a function is declared", () => {
  const text = "function undo() {}\nfunction undoAll() { undo(); this.restoreLink(); linkOrUndo(); putBackFacts(); }\n";
  expect(count({ "core/src/a.ts": text })).toMatchObject({ "core: calls that undo a write": 3 });
});

it("counts functions whose body has more than 40 lines of code", () => {
  const long = (lines) => `export function f() {\n${"  f();\n".repeat(lines - 2)}  // A comment.\n\n}\n`;
  expect(count({ "core/src/a.ts": long(40), "core/src/b.ts": long(41) })["core: functions over 40 lines"]).toBe(1);
});
