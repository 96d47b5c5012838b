// Reads the tree for the checks: the list of files, and the syntax tree of each source file.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";

// Installed, built and recorded files are not sources.
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

/** Whether a file is a test, or in a folder for tests. */
export function isTest(path) {
  return /\.test\.\w+$/.test(basename(path)) || /^packages\/[^/]+\/test\//.test(path);
}

/** A parsed source file. `test` is true for a test, which has fewer rules. */
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

/** The number of lines with code, without comments and blank lines. */
export function codeLines(ast) {
  const lines = new Set();
  const visit = (node) => {
    const children = node.getChildren(ast).filter((child) => !ts.isJSDoc(child));
    for (const child of children) visit(child);
    if (children.length > 0 || node.getWidth(ast) === 0) return;
    const [first, last] = [node.getStart(ast), node.getEnd()].map((at) => ast.getLineAndCharacterOfPosition(at).line);
    for (let line = first; line <= last; line++) lines.add(line);
  };
  visit(ast);
  return lines.size;
}

/** `path:line` of a node, which editors and terminals make clickable. */
export function place(file, node) {
  return `${file.path}:${lineOf(file, node.getStart(file.ast))}`;
}

/** The line number, from 1, of a position in a file. */
function lineOf(file, position) {
  return file.ast.getLineAndCharacterOfPosition(position).line + 1;
}

/** The entry points in `exports` of a package's package.json as `{ specifier, source }`, as tools/build.mjs builds them. */
export function publicEntries(root, name) {
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    const [, built] = /^\.\/dist\/(.+)\.js$/.exec(target.default ?? "") ?? [];
    if (built === undefined) return [];
    return [{ specifier: manifest.name + subpath.slice(1), source: `packages/${name}/src/${built}.ts` }];
  });
}

/** The source of a specifier in `paths` of tsconfig.json, which Vitest and the type checker use. */
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
