// Reads the tree for the checks: which files there are, and the syntax tree of each source file.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";

// What is installed, built or recorded is not a source.
const notSource = new Set(["node_modules", "dist", ".git", ".turbo", "coverage", "artifacts"]);

/**
 * Paths of all files below `root/folder`, relative to `root`, with `/` between the parts, in a stable order; without
 * the folders named in `skip`.
 */
export function listFiles(root, folder = "", skip = notSource) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (skip.has(entry.name)) return [];
    if (entry.isDirectory()) return listFiles(root, path, skip);
    return entry.isFile() ? [path] : [];
  });
}

/** Names of the folders in `root/packages` that are packages. */
export function packageNames(root) {
  const folder = join(root, "packages");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")));
}

/** The TypeScript sources of one package, parsed: `{ path, inside, test, ast }`, `inside` relative to its src. */
export function packageSources(root, name) {
  const src = `packages/${name}/src`;
  return listFiles(root, src)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ ...parseFile(root, path), inside: path.slice(src.length + 1) }));
}

/** Whether a file is a test, or lies in a folder that holds nothing else. */
export function isTest(path) {
  return /\.test\.\w+$/.test(basename(path)) || /^packages\/[^/]+\/test\//.test(path);
}

/** One parsed source file. `test` is true for a test, whose rules are looser. */
export function parseFile(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  const ast = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return { path, ast, test: isTest(path) };
}

/** Calls `visit` with a node and all nodes below it, parents first. */
export function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** `path:line` of a node, as editors and terminals make it clickable. */
export function place(file, node) {
  return `${file.path}:${lineOf(file, node.getStart(file.ast))}`;
}

/** The number of the line, from 1, at a position of a file. */
function lineOf(file, position) {
  return file.ast.getLineAndCharacterOfPosition(position).line + 1;
}

/** The entry points that `exports` of a package's package.json names: `{ specifier, source }`, as tools/build.mjs builds them. */
export function publicEntries(root, name) {
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    const [, built] = /^\.\/dist\/(.+)\.js$/.exec(target.default ?? "") ?? [];
    if (built === undefined) return [];
    return [{ specifier: manifest.name + subpath.slice(1), source: `packages/${name}/src/${built}.ts` }];
  });
}

/** The source that tsconfig.json's `paths` give for a specifier, as vitest and the type checker see it. */
export function sourceByPaths(root, specifier) {
  const { paths = {} } = readTsconfig(root).compilerOptions;
  for (const [pattern, [target]] of Object.entries(paths)) {
    const match = new RegExp(`^${pattern.replace("*", "([^/]+)")}$`).exec(specifier);
    if (match) return target.replace(/^\.\//, "").replace("*", match[1]);
  }
  return undefined;
}

/** The tsconfig.json of a tree, or an empty one. */
export function readTsconfig(root) {
  const path = join(root, "tsconfig.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { compilerOptions: {} };
}
