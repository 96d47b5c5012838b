import { type ImportDeclaration, type ImportSpecifier, Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { REMARKS, RENAMED, successorOf } from "../former-modules.ts";
import { goneNames } from "../gone-names.ts";
import { usesOf } from "../identifiers.ts";
import { moduleReferences, requoted } from "../module-references.ts";
import { otherGuards } from "../other-guards.ts";
import { styleOf } from "../source-style.ts";

/**
 * All other references to modules of the former library: imports, re-exports, `require()`, `import()`, module
 * augmentation, and mocks in tests. Exports with a new name are renamed at each use.
 */
export function moveImports(application: Application): Draft {
  const draft = new Draft();
  for (const file of application.project.getSourceFiles()) {
    const written = writtenOut(file);
    for (const reference of moduleReferences(file)) {
      const { literal, specifier } = reference;
      const target = successorOf(specifier);
      if (
        target === undefined ||
        [...goneNames(application, reference), ...otherGuards(application, reference)].length > 0
      )
        continue;
      const declaration = literal.getParent();
      const dropped = Node.isImportDeclaration(declaration) ? droppedNames(file, declaration, target, written) : [];
      if (Node.isImportDeclaration(declaration) && isWhole(declaration, dropped)) {
        draft.remove(declaration);
        draft.note("changed", literal, `${specifier} is removed: ${listOf(dropped)} written out where needed`);
        continue;
      }
      draft.replace(literal, requoted(literal, target));
      draft.note("changed", literal, `${specifier} → ${target}`, REMARKS[target]);
      draft.added.add(packageOf(target));
      if (Node.isImportDeclaration(declaration)) renameImports(draft, file, declaration, { target, dropped, written });
      if (Node.isExportDeclaration(declaration)) renameExports(draft, declaration, target);
    }
    for (const { node, text } of written) {
      draft.replace(node, text);
      for (const [, module = ""] of text.matchAll(/import\(["']([^"']+)/g)) draft.added.add(packageOf(module));
    }
  }
  return draft;
}

/** The package that a specifier belongs to. */
function packageOf(specifier: string): string {
  return specifier.split("/").slice(0, 2).join("/");
}

interface WrittenType {
  /** The type as a whole, with its arguments. */
  readonly node: Node;
  readonly text: string;
}

/** Each use of a type that the replacement lacks, with the type that takes its place. */
function writtenOut(file: SourceFile): readonly WrittenType[] {
  const { quote } = styleOf(file.getFullText());
  const all = moduleReferences(file).flatMap(({ literal, specifier }) => {
    const declaration = literal.getParent();
    const renames = RENAMED[successorOf(specifier) ?? ""] ?? {};
    if (!Node.isImportDeclaration(declaration)) return [];
    return declaration.getNamedImports().flatMap((named) => {
      const renamed = renames[named.getName()];
      if (renamed === undefined || !("inline" in renamed)) return [];
      return usesOf(file, localName(named)).map((use) => ({
        node: outermostType(use),
        text: parenthesized(use, renamed.inline).replaceAll('"', quote),
      }));
    });
  });
  return all.filter(({ node }) => !isInsideOf(all, node.getParent()));
}

function isInsideOf(written: readonly WrittenType[], node: Node | undefined): boolean {
  return node !== undefined && written.some((one) => one.node === node || node.getAncestors().includes(one.node));
}

function localName(named: ImportSpecifier): string {
  return named.getAliasNode()?.getText() ?? named.getName();
}

/**
 * The names that are imported no longer: those written out, those used only as an argument of such a type, and those that get the name of an
 * earlier one.
 */
function droppedNames(
  file: SourceFile,
  declaration: ImportDeclaration,
  target: string,
  written: readonly WrittenType[],
): readonly string[] {
  return declaration
    .getNamedImports()
    .filter((named, n, all) => {
      const renamed = RENAMED[target]?.[named.getName()];
      if (renamed !== undefined && "inline" in renamed) return true;
      const name = importedName(named, target);
      if (name !== undefined && all.slice(0, n).some((other) => importedName(other, target) === name)) return true;
      const uses = written.length === 0 ? [] : usesOf(file, localName(named));
      return uses.length > 0 && uses.every((use) => isInsideOf(written, use));
    })
    .map((named) => named.getName());
}

/** The name that a file has from an import after the move, unless it has an alias. */
function importedName(named: ImportSpecifier, target: string): string | undefined {
  const renamed = RENAMED[target]?.[named.getName()];
  if (named.getAliasNode() !== undefined || (renamed !== undefined && "inline" in renamed)) return undefined;
  return renamed?.name ?? named.getName();
}

/** Whether an import has no other name. */
function isWhole(declaration: ImportDeclaration, names: readonly string[]): boolean {
  const named = declaration.getNamedImports();
  return names.length > 0 && names.length === named.length && declaration.getDefaultImport() === undefined;
}

function listOf(names: readonly string[]): string {
  return `${names.map((name) => `\`${name}\``).join(", ")} ${names.length === 1 ? "is" : "are"}`;
}

interface Renaming {
  readonly target: string;
  readonly dropped: readonly string[];
  readonly written: readonly WrittenType[];
}

function renameImports(
  draft: Draft,
  file: SourceFile,
  declaration: ImportDeclaration,
  { target, dropped, written }: Renaming,
): void {
  const texts = new Map<string, string>();
  for (const named of declaration.getNamedImports()) {
    const renamed = RENAMED[target]?.[named.getName()];
    const alias = named.getAliasNode();
    if (renamed === undefined || "inline" in renamed) continue;
    const type = named.isTypeOnly() ? "type " : "";
    texts.set(named.getName(), `${type}${renamed.name}${alias === undefined ? "" : ` as ${alias.getText()}`}`);
    draft.replace(named.getNameNode(), renamed.name);
    const uses = alias === undefined ? usesOf(file, named.getName()) : [];
    for (const use of uses.filter((one) => !isInsideOf(written, one))) draft.replace(use, renamed.name);
  }
  if (dropped.length > 0) dropNames(draft, declaration, dropped, texts);
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

/**
 * Removes names from an import, and the whole import if no name is left.
 *
 * @param texts what replaces a name that is kept, by its former name
 */
export function dropNames(
  draft: Draft,
  declaration: ImportDeclaration,
  names: readonly string[],
  texts: ReadonlyMap<string, string> = new Map(),
): void {
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
      kept.map((specifier) => texts.get(specifier.getName()) ?? specifier.getText()).join(", "),
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
    if (renamed === undefined || "inline" in renamed) continue;
    draft.replace(
      named.getNameNode(),
      named.getAliasNode() === undefined ? `${renamed.name} as ${named.getName()}` : renamed.name,
    );
  }
}
