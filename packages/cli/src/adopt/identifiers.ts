import { type Identifier, Node, type SourceFile, SyntaxKind } from "ts-morph";

/** The uses of a name that a file imports or declares: no property names, no import and export specifiers. */
export function usesOf(file: SourceFile, name: string): readonly Identifier[] {
  return file.getDescendantsOfKind(SyntaxKind.Identifier).filter((node) => node.getText() === name && isUse(node));
}

function isUse(node: Identifier): boolean {
  const parent = node.getParent();
  if (Node.isPropertyAccessExpression(parent)) return parent.getNameNode() !== node;
  if (Node.isQualifiedName(parent)) return parent.getRight() !== node;
  if (Node.isPropertyAssignment(parent) || Node.isJsxAttribute(parent)) return parent.getNameNode() !== node;
  if (Node.isMethodDeclaration(parent) || Node.isPropertySignature(parent) || Node.isMethodSignature(parent))
    return false;
  if (Node.isVariableDeclaration(parent)) return parent.getNameNode() !== node;
  if (Node.isBindingElement(parent)) return parent.getInitializer() === node;
  return !(
    Node.isImportSpecifier(parent) ||
    Node.isImportClause(parent) ||
    Node.isExportSpecifier(parent) ||
    Node.isNamespaceImport(parent) ||
    Node.isPropertyDeclaration(parent)
  );
}

/** Whether a file has this name in any meaning: then another one is needed. */
export function hasName(file: SourceFile, name: string): boolean {
  return file.getDescendantsOfKind(SyntaxKind.Identifier).some((node) => {
    const parent = node.getParent();
    const isMember =
      (Node.isPropertyAccessExpression(parent) || Node.isPropertyAssignment(parent)) && parent.getNameNode() === node;
    return node.getText() === name && !isMember;
  });
}

/** The first of these names that a file does not have. */
export function freeName(file: SourceFile, ...names: readonly [string, ...string[]]): string {
  return names.find((name) => !hasName(file, name)) ?? `${names[0]}_`;
}

/** Whether a file may hold types. */
export function isTypeScript(file: SourceFile): boolean {
  return /\.[cm]?tsx?$/.test(file.getFilePath());
}
