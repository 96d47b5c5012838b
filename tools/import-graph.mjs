// The imports of source files, and cycles among them.
import { posix } from "node:path";
import ts from "typescript";
import { walk } from "./source-files.mjs";

/** Every import of a file, including `import type`, `export … from` and `import()`: `{ specifier, node, typeOnly }`. */
export function importsOf(file) {
  const imports = [];
  walk(file.ast, (node) => {
    const found = importOf(node);
    if (found?.literal && ts.isStringLiteralLike(found.literal)) {
      imports.push({ specifier: found.literal.text, node, typeOnly: found.typeOnly });
    }
  });
  return imports;
}

function importOf(node) {
  if (ts.isImportDeclaration(node)) {
    return { literal: node.moduleSpecifier, typeOnly: node.importClause?.isTypeOnly ?? false };
  }
  if (ts.isExportDeclaration(node)) return { literal: node.moduleSpecifier, typeOnly: node.isTypeOnly };
  if (ts.isExternalModuleReference(node)) return { literal: node.expression, typeOnly: false };
  if (ts.isImportTypeNode(node)) return { literal: node.argument.literal, typeOnly: true };
  if (ts.isCallExpression(node) && isImportCall(node.expression)) {
    return { literal: node.arguments[0], typeOnly: false };
  }
  return undefined;
}

function isImportCall(callee) {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

/** The path of a relative specifier in a file; undefined for a package name. */
export function resolveRelative(file, specifier) {
  return specifier.startsWith(".") ? posix.join(posix.dirname(file.path), specifier) : undefined;
}

/** Cycles in a graph (a Map from a name to its targets): one list of names per cycle, which ends with its first name. */
export function findCycles(graph) {
  const cycles = [];
  const done = new Set();
  const trail = [];
  const visit = (name) => {
    const seen = trail.indexOf(name);
    if (seen >= 0) cycles.push([...trail.slice(seen), name]);
    if (seen >= 0 || done.has(name)) return;
    trail.push(name);
    for (const next of graph.get(name) ?? []) visit(next);
    trail.pop();
    done.add(name);
  };
  for (const name of graph.keys()) visit(name);
  return cycles;
}
