// The public entry points of a package, and the source file behind each.
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { parseFile, walk } from "./source-files.mjs";

/**
 * The entry points that `exports` of a package's package.json names: `{ specifier, source }`, where `source` is what
 * tsup.config.ts builds it from, or undefined when it builds no such file.
 */
export function publicEntries(root, name) {
  const folder = `packages/${name}`;
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const built = existsSync(join(root, folder, "tsup.config.ts")) ? builtFrom(root, `${folder}/tsup.config.ts`) : {};
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    const file = typeof target === "string" ? target : target.default;
    if (file.endsWith(".json")) return [];
    const source = built[file.replace(/^\.\/dist\//, "").replace(/\.js$/, "")];
    return [{ specifier: manifest.name + subpath.slice(1), source: source && `${folder}/${source}` }];
  });
}

/** The `entry` of a tsup.config.ts, read without running it: name of the built file → source. */
function builtFrom(root, path) {
  const entries = {};
  walk(parseFile(root, path).ast, (node) => {
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== "entry") return;
    if (ts.isArrayLiteralExpression(node.initializer)) {
      for (const { text } of node.initializer.elements) entries[basename(text).replace(/\.\w+$/, "")] = text;
    } else if (ts.isObjectLiteralExpression(node.initializer)) {
      for (const { name, initializer } of node.initializer.properties) entries[name.text] = initializer.text;
    }
  });
  return entries;
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
