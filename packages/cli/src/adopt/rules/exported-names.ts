import { type ExportSpecifier, type ImportSpecifier, Node } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { isUnexported, RENAMED_TYPES } from "../exported-names.ts";
import { RENAMED } from "../former-modules.ts";
import { usesOfDeclared } from "../identifiers.ts";
import { namesFrom } from "../module-names.ts";
import { type ModuleReference, moduleReferences } from "../module-references.ts";

/**
 * Names that the module in place of that of Auth.js does not export:
 *
 * 1. A type with another name keeps the former one in the file: `GitHubProfile as GithubProfile`.
 * 2. Any other name is reported, because the application does not build with it.
 */
export function moveNames({ project }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles()) {
    for (const reference of moduleReferences(file)) {
      if (!reference.specifier.startsWith("@cardea/")) continue;
      for (const { node, name } of namesIn(reference)) moveName(draft, reference.specifier, node, name);
    }
  }
  return draft;
}

interface UsedName {
  readonly node: Node;
  readonly name: string;
}

/** The names that a reference takes of a module, also types. */
function namesIn({ literal, kind }: ModuleReference): readonly UsedName[] {
  const parent = literal.getParentOrThrow();
  if (Node.isImportDeclaration(parent) || Node.isExportDeclaration(parent)) {
    const space = Node.isImportDeclaration(parent) ? parent.getNamespaceImport() : undefined;
    const named = Node.isImportDeclaration(parent) ? parent.getNamedImports() : parent.getNamedExports();
    return [
      ...named.map((node) => ({ node, name: node.getName() })),
      ...(space === undefined ? [] : usesOfDeclared(space).flatMap(memberOf)),
    ];
  }
  const type = parent.getParent();
  if (Node.isImportTypeNode(type)) {
    const qualifier = type.getQualifier();
    const first = Node.isQualifiedName(qualifier) ? qualifier.getLeft() : qualifier;
    return Node.isIdentifier(first) ? [{ node: first, name: first.getText() }] : [];
  }
  if (kind !== "call") return [];
  return namesFrom(parent).flatMap(({ node, name }) => (name === undefined ? [] : [{ node, name }]));
}

function memberOf(use: Node): readonly UsedName[] {
  const parent = use.getParent();
  const node = Node.isQualifiedName(parent)
    ? parent.getRight()
    : Node.isPropertyAccessExpression(parent)
      ? parent.getNameNode()
      : undefined;
  return node === undefined ? [] : [{ node, name: node.getText() }];
}

function moveName(draft: Draft, module: string, node: Node, name: string): void {
  const renamed = RENAMED_TYPES[module]?.[name];
  if (renamed !== undefined) {
    if (Node.isImportSpecifier(node) || Node.isExportSpecifier(node)) renameSpecifier(draft, node, renamed);
    else draft.replace(node, renamed);
    draft.note("changed", node, `\`${name}\` → \`${renamed}\``);
    return;
  }
  if (!isUnexported(module, name)) return;
  const other = RENAMED[module]?.[name];
  const remedy = other !== undefined && "inline" in other ? `use ${other.inline} instead` : DECLARE;
  draft.note("left", node, `\`${name}\` is not exported by ${module}`, remedy);
}

const DECLARE = "declare it in the application, or remove it: the build fails without";

function renameSpecifier(draft: Draft, node: ImportSpecifier | ExportSpecifier, renamed: string): void {
  const name = node.getNameNode();
  draft.replace(name, node.getAliasNode() === undefined ? `${renamed} as ${name.getText()}` : renamed);
}
