import { Node } from "ts-morph";

/** The module that a name is imported from: `sessions` in `sessions()`, `auth` in `auth.sessions`. */
export function importedFrom(node: Node): string | undefined {
  const name = Node.isPropertyAccessExpression(node) ? node.getExpression().getText() : node.getText();
  for (const declaration of node.getSourceFile().getImportDeclarations()) {
    const named = declaration.getNamedImports().map((item) => (item.getAliasNode() ?? item.getNameNode()).getText());
    const names = [...named, declaration.getDefaultImport()?.getText(), declaration.getNamespaceImport()?.getText()];
    if (names.includes(name)) return declaration.getModuleSpecifierValue();
  }
  return undefined;
}
