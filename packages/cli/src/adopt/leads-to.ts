import { type CallExpression, Node, type SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import { topStatement } from "./former-import.ts";
import { usesOfDeclared } from "./identifiers.ts";
import { moduleReferences } from "./module-references.ts";

/** Calls, and the names that were followed from their arguments. */
export interface Followed {
  readonly calls: ReadonlySet<Node>;
  readonly names: ReadonlySet<Node>;
}

/**
 * Whether what a node is part of reaches these calls and nothing else: it is written in one of them, or every use of the constant, function
 * or default export that holds it was followed from one. A use that is not understood may lead anywhere.
 */
export function leadsOnlyTo(
  application: Application,
  node: Node,
  followed: Followed,
  seen: Set<Node> = new Set(),
): boolean {
  if (node.getAncestors().some((one): one is CallExpression => followed.calls.has(one))) return true;
  const statement = topStatement(node);
  if (seen.has(statement)) return true;
  seen.add(statement);
  const names = namesOf(statement);
  const home = node.getSourceFile();
  const elsewhere = application.project.getSourceFiles().map((file) => usesFrom(application, file, home, names));
  if (names === undefined || elsewhere.some((uses) => uses === undefined)) return false;
  const uses = [...names.flatMap(usesOfDeclared), ...elsewhere.flatMap((found) => found ?? [])];
  return uses.every(
    (use) => isExportOrType(use) || (followed.names.has(use) && leadsOnlyTo(application, use, followed, seen)),
  );
}

/** The names that a statement declares; empty for a default export, undefined for any other statement. */
function namesOf(statement: Node): readonly Node[] | undefined {
  if (Node.isExportAssignment(statement)) return statement.isExportEquals() ? undefined : [];
  if (Node.isVariableStatement(statement)) return statement.getDeclarations().map((one) => one.getNameNode());
  const name = Node.isFunctionDeclaration(statement) ? statement.getNameNode() : undefined;
  return name && [name];
}

function isExportOrType(use: Node): boolean {
  const parent = use.getParent();
  return Node.isTypeQuery(parent) || (Node.isExportAssignment(parent) && !parent.isExportEquals());
}

/** The uses of these names in another file; undefined if they cannot be told. */
function usesFrom(
  application: Application,
  file: SourceFile,
  home: SourceFile,
  names: readonly Node[] | undefined,
): readonly Node[] | undefined {
  const references = moduleReferences(file).filter(
    ({ specifier, kind }) =>
      !/^(?:mock|type|augmentation)$/.test(kind) && application.resolve(file, specifier) === home,
  );
  const uses: Node[] = [];
  for (const { literal } of references) {
    const declaration = literal.getParent();
    if (!Node.isImportDeclaration(declaration) || declaration.getNamespaceImport() !== undefined) return undefined;
    const isOther = (name: string) =>
      names?.some((one) => one.getText() === name) !== true &&
      (home.getVariableDeclaration(name) ?? home.getFunction(name)) !== undefined;
    const named = declaration.getNamedImports().filter((one) => !isOther(one.getName()));
    const locals = named.map((one) => one.getAliasNode() ?? one.getNameNode());
    for (const local of [declaration.getDefaultImport(), ...locals])
      if (local !== undefined) uses.push(...usesOfDeclared(local));
  }
  return uses;
}
