// Reads the sources of a package as syntax, for the checks of its structure.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";

/**
 * The files in a folder of a package, `src` with its tests or `test`. `inside` is relative to it, `text` the whole file,
 * `code` the file with spaces in the place of comments, and `target` of an import the path of a file.
 */
export function readSources(root, name, folder = "src") {
  const parent = `packages/${name}/${folder}`;
  if (!existsSync(join(root, parent))) return [];
  const files = readdirSync(join(root, parent), { recursive: true }).filter((file) => /\.tsx?$/.test(file));
  return files.sort().map((inside) => {
    const path = `${parent}/${inside}`;
    const text = readFileSync(join(root, path), "utf8");
    const { program, comments } = parseSync(path, text);
    const imports = importsOf(program).map((found) => ({
      ...found,
      target: found.specifier.startsWith(".") ? posix.join(posix.dirname(path), found.specifier) : undefined,
    }));
    return { path, inside, text, code: withoutParts(text, comments), program, imports };
  });
}

/**
 * Every import, including `import type`, `export … from` and `import()`, with its position. `typeOnly`: it is written with `type`;
 * `erased`: nothing of it remains in the built code; `lazy`: it is an `import()`.
 */
function importsOf(program) {
  const imports = [];
  const kindOf = (node) => node.importKind ?? node.exportKind;
  const add = (node) => {
    const specifier = node.source?.value ?? node.source?.quasis?.[0].value.cooked;
    if (typeof specifier !== "string") return;
    const typeOnly = kindOf(node) === "type" || node.type === "TSImportType";
    const names = node.specifiers ?? [];
    const erased = typeOnly || (names.length > 0 && names.every((name) => kindOf(name) === "type"));
    const lazy = node.type === "ImportExpression";
    imports.push({ specifier, typeOnly, erased, lazy, start: node.start, end: node.end });
  };
  const imported = { ImportDeclaration: add, ImportExpression: add, TSImportType: add };
  new Visitor({ ...imported, ExportNamedDeclaration: add, ExportAllDeclaration: add }).visit(program);
  return imports;
}

/** A text with spaces in the place of some parts. */
export function withoutParts(text, parts) {
  const spaces = ({ start, end }) => text.slice(start, end).replace(/[^\n]/g, " ");
  return parts.reduce((rest, part) => rest.slice(0, part.start) + spaces(part) + rest.slice(part.end), text);
}

export const isTest = (path) => /\.test\.\w+$/.test(path);
