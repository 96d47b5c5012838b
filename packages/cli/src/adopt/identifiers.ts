import { type Identifier, type Symbol as MorphSymbol, Node, type SourceFile, SyntaxKind } from "ts-morph";

/** The uses of a name that a file imports or declares: no property names, no import and export specifiers. */
export function usesOf(file: SourceFile, name: string): readonly Identifier[] {
  if (!file.getFullText().includes(name)) return [];
  return file.getDescendantsOfKind(SyntaxKind.Identifier).filter((node) => node.getText() === name && isUse(node));
}

/**
 * The uses of what a node declares. A use of a parameter or of a local variable with that name is left out; one that the compiler does not
 * resolve is not.
 */
export function usesOfDeclared(name: Node): readonly Identifier[] {
  const symbol = name.getSymbol();
  return usesOf(name.getSourceFile(), name.getText()).filter((use) => {
    const other = symbolOf(use);
    const declarations = other?.getDeclarations() ?? [];
    const isLocal = declarations.length > 0 && declarations.every((one) => one.getAncestors().some(isFunction));
    return use !== name && (other === symbol || !isLocal);
  });
}

function isFunction(node: Node): boolean {
  return Node.isFunctionLikeDeclaration(node) || Node.isFunctionExpression(node) || Node.isArrowFunction(node);
}

/** What an identifier stands for. In `{ name }` that is the variable, not the member. */
export function symbolOf(node: Identifier): MorphSymbol | undefined {
  const parent = node.getParent();
  const isShorthand = Node.isShorthandPropertyAssignment(parent) && parent.getNameNode() === node;
  return isShorthand ? parent.getValueSymbol() : node.getSymbol();
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
  if (!file.getFullText().includes(name)) return false;
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
