// Counts what the text of the sources alone shows: the numbers of check-numbers.mjs that need no build.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Visitor } from "rolldown/utils";
import { partOf, privateEntries, undoCalls } from "./layer-table.mjs";
import { isTest, readSources } from "./read-sources.mjs";
import { packageNames, trackedFiles } from "./source-files.mjs";

/** The packages that take over a part of the code of core. Each counts once it exists. */
const WITH_CORE = ["extend", "node", "providers-email"];
const SHORT_FILE = 25;
const LONG_FUNCTION = 40;

/** The numbers of the tree at `root` by the names that numbers.json gives them. */
export function countSources(root) {
  const existing = packageNames(root);
  const sourcesOf = (name) => readSources(root, name).filter(({ path }) => !isTest(path));
  const core = sourcesOf("core");
  const others = WITH_CORE.filter((name) => existing.includes(name)).flatMap(sourcesOf);
  const published = ["core", "extend"].filter((name) => existing.includes(name));
  const calls = core.flatMap(({ program }) => calleesIn(program));
  return {
    "all: lines of code": sum([...core, ...others], ({ code }) => linesOf(code).filter(isWritten).length),
    "core: lines": sum(core, ({ text }) => linesOf(text).length),
    "core: files": core.length,
    "core: exported names": sum(core, ({ program }) => sum(program.body, exportsOf)),
    "core: files under 25 lines": core.filter(({ text }) => linesOf(text).length < SHORT_FILE).length,
    "core: functions over 40 lines": sum(core, countLongFunctions),
    "all: public names": sum(published, (name) => countPublicNames(root, name)),
    "core: depth with types": depthOf(core, ({ lazy }) => !lazy),
    "core: depth with import()": depthOf(core, ({ erased }) => !erased),
    "core: dynamic imports": countLazyImports(core),
    "core: kernel imports part": sum(core, countPartImports),
    "core: calls that undo a write": calls.filter((name) => undoCalls.test(name)).length,
  };
}

const sum = (list, count) => list.reduce((total, one) => total + count(one), 0);

const linesOf = (text) => text.replace(/\n$/, "").split("\n");

const isWritten = (line) => line.trim() !== "";

/** Names that a statement exports from its file; `export *` counts as one. */
function exportsOf({ type, declaration, specifiers }) {
  if (type === "ExportAllDeclaration") return 1;
  if (type !== "ExportNamedDeclaration") return 0;
  return declaration ? (declaration.declarations?.length ?? 1) : specifiers.length;
}

/** Names of all functions that are called, without the objects to which they belong. */
function calleesIn(program) {
  const names = [];
  const CallExpression = ({ callee }) => names.push(callee.name ?? callee.property?.name ?? "");
  new Visitor({ CallExpression }).visit(program);
  return names;
}

/** By the lines of code from the first to the last of the body. */
function countLongFunctions({ code, program }) {
  let count = 0;
  const add = ({ body }) => {
    if (body && linesOf(code.slice(body.start, body.end)).filter(isWritten).length > LONG_FUNCTION) count += 1;
  };
  new Visitor({ FunctionDeclaration: add, FunctionExpression: add, ArrowFunctionExpression: add }).visit(program);
  return count;
}

/** Names in the committed reports of what a package exports. A name of two entry points counts twice. */
function countPublicNames(root, name) {
  const isPrivate = (path) =>
    Object.keys(privateEntries).some((entry) => path.endsWith(`${entry.split("/")[2]}.api.md`));
  const paths = trackedFiles(root, `packages/${name}/api/*.md`).filter((path) => !isPrivate(path));
  const reports = paths.map((path) => readFileSync(join(root, path), "utf8"));
  return sum(reports, (text) => text.match(/^export /gm)?.length ?? 0);
}

/** Files in the longest chain of imports that begins at the main entry point. */
function depthOf(files, counts) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const known = new Map();
  const depth = (path) => {
    const targets = (byPath.get(path)?.imports ?? []).filter(counts).flatMap(({ target }) => target ?? []);
    if (!known.has(path)) known.set(path, 1 + Math.max(0, ...targets.map(depth)));
    return known.get(path);
  };
  return depth("packages/core/src/index.ts");
}

/** Pairs of a file and what it loads on demand. */
function countLazyImports(files) {
  const lazy = files.flatMap(({ path, imports }) =>
    imports.filter((one) => one.lazy).map(({ specifier }) => `${path} ${specifier}`),
  );
  return new Set(lazy).size;
}

/** Imports, without types, of a part's file by a file of the kernel. */
function countPartImports({ inside, imports }) {
  if (partOf(inside) !== "kernel") return 0;
  const targets = imports.filter(({ erased }) => !erased).flatMap(({ target }) => target ?? []);
  return targets.filter((path) => isPart(path.slice("packages/core/src/".length))).length;
}

const isPart = (inside) => partOf(inside) !== undefined && partOf(inside) !== "kernel";
