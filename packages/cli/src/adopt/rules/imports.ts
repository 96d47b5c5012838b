import { type ImportDeclaration, Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { RENAMED, successorOf } from "../former-modules.ts";
import { usesOf } from "../identifiers.ts";
import { moduleReferences, requoted } from "../module-references.ts";

/**
 * All other references to modules of the former library: imports, re-exports, `require()`, `import()`, module
 * augmentation, and mocks in tests. Exports with a new name are renamed at each use.
 */
export function moveImports(application: Application): Draft {
  const draft = new Draft();
  for (const file of application.project.getSourceFiles()) {
    for (const { literal, specifier } of moduleReferences(file)) {
      const target = successorOf(specifier);
      if (target === undefined) continue;
      const declaration = literal.getParent();
      draft.replace(literal, requoted(literal, target));
      draft.note("changed", literal, `${specifier} → ${target}`);
      draft.added.add(packageOf(target));
      if (Node.isImportDeclaration(declaration)) renameImports(draft, file, declaration, target);
      if (Node.isExportDeclaration(declaration)) renameExports(draft, declaration, target);
    }
  }
  return draft;
}

/** The package that a specifier belongs to. */
function packageOf(specifier: string): string {
  return specifier.split("/").slice(0, 2).join("/");
}

function renameImports(draft: Draft, file: SourceFile, declaration: ImportDeclaration, target: string): void {
  const inlined: string[] = [];
  for (const named of declaration.getNamedImports()) {
    const renamed = RENAMED[target]?.[named.getName()];
    const alias = named.getAliasNode();
    if (renamed === undefined) continue;
    if ("inline" in renamed) {
      inlined.push(named.getName());
      for (const use of usesOf(file, alias?.getText() ?? named.getName()))
        draft.replace(outermostType(use), parenthesized(use, renamed.inline));
    } else {
      draft.replace(named.getNameNode(), renamed.name);
      if (alias === undefined) for (const use of usesOf(file, named.getName())) draft.replace(use, renamed.name);
    }
  }
  if (inlined.length > 0) dropNames(draft, declaration, inlined);
}

/** `LiteralUnion<X>` as a whole, not only its name. */
function outermostType(use: Node): Node {
  const parent = use.getParent();
  return Node.isTypeReference(parent) ? parent : use;
}

/** Parenthesizes a union inside a larger type. */
function parenthesized(use: Node, type: string): string {
  const around = use.getParent()?.getParent();
  const needs =
    type.includes(" | ") &&
    (Node.isArrayTypeNode(around) || Node.isIntersectionTypeNode(around) || Node.isIndexedAccessTypeNode(around));
  return needs ? `(${type})` : type;
}

/** Removes names from an import, and the whole import if no name is left. */
export function dropNames(draft: Draft, declaration: ImportDeclaration, names: readonly string[]): void {
  const named = declaration.getNamedImports();
  const kept = named.filter((specifier) => !names.includes(specifier.getName()));
  if (kept.length === 0 && declaration.getDefaultImport() === undefined) {
    draft.edits.splice(0, draft.edits.length, ...draft.edits.filter((edit) => !isInside(edit, declaration)));
    draft.remove(declaration);
    return;
  }
  const [first, last] = [named[0], named.at(-1)];
  if (first === undefined || last === undefined) return;
  if (kept.length > 0) {
    replaceRange(
      draft,
      declaration,
      first.getStart(),
      last.getEnd(),
      kept.map((specifier) => specifier.getText()).join(", "),
    );
    return;
  }
  const clause = declaration.getImportClauseOrThrow();
  draft.replace(clause, declaration.getDefaultImport()?.getText() ?? "");
}

function isInside(edit: { readonly path: string; readonly start: number; readonly end: number }, node: Node): boolean {
  return edit.path === node.getSourceFile().getFilePath() && edit.start >= node.getStart() && edit.end <= node.getEnd();
}

function replaceRange(draft: Draft, node: Node, start: number, end: number, text: string): void {
  const path = node.getSourceFile().getFilePath();
  draft.edits.splice(
    0,
    draft.edits.length,
    ...draft.edits.filter((edit) => edit.path !== path || edit.start < start || edit.end > end),
  );
  draft.edits.push({ path, start, end, text });
}

function renameExports(draft: Draft, declaration: import("ts-morph").ExportDeclaration, target: string): void {
  for (const named of declaration.getNamedExports()) {
    const renamed = RENAMED[target]?.[named.getName()];
    if (renamed === undefined) continue;
    if ("inline" in renamed) {
      draft.note("left", named, `\`${named.getName()}\` is not exported`, `use ${renamed.inline} instead`);
    } else {
      draft.replace(
        named.getNameNode(),
        named.getAliasNode() === undefined ? `${renamed.name} as ${named.getName()}` : renamed.name,
      );
    }
  }
}
