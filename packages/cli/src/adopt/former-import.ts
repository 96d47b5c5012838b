import {
  type ArrowFunction,
  type CallExpression,
  type FunctionDeclaration,
  type FunctionExpression,
  type ImportDeclaration,
  type MethodDeclaration,
  Node,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import { usesOf } from "./identifiers.ts";

/** A name that a file imports from a module, with `import` or `require()`. */
export interface FormerImport {
  /** The local name. */
  readonly local: string;
  /** The import declaration, or the statement with `require()`. */
  readonly statement: Node;
  readonly declaration: ImportDeclaration | undefined;
}

/** Finds the default export (`"default"`) or a named export of one of these modules in a file. */
export function findImport(file: SourceFile, modules: readonly string[], name: string): FormerImport | undefined {
  for (const declaration of file.getImportDeclarations()) {
    if (!modules.includes(declaration.getModuleSpecifierValue())) continue;
    const standard = name === "default" ? declaration.getDefaultImport()?.getText() : undefined;
    const named = declaration.getNamedImports().find((specifier) => specifier.getName() === name);
    const local = standard ?? named?.getAliasNode()?.getText() ?? named?.getName();
    if (local !== undefined) return { local, statement: declaration, declaration };
  }
  return findRequired(file, modules, name);
}

function findRequired(file: SourceFile, modules: readonly string[], name: string): FormerImport | undefined {
  for (const declaration of file.getVariableDeclarations()) {
    const value = declaration.getInitializer();
    const call = Node.isPropertyAccessExpression(value) ? value.getExpression() : value;
    if (!Node.isCallExpression(call) || call.getExpression().getText() !== "require") continue;
    const [specifier] = call.getArguments();
    if (!Node.isStringLiteral(specifier) || !modules.includes(specifier.getLiteralValue())) continue;
    const statement = declaration.getVariableStatementOrThrow();
    const target = declaration.getNameNode();
    if (Node.isObjectBindingPattern(target)) {
      const element = target
        .getElements()
        .find((item) => (item.getPropertyNameNode() ?? item.getNameNode()).getText() === name);
      if (element !== undefined) return { local: element.getName(), statement, declaration: undefined };
    } else if (name === "default" && (value === call || Node.isPropertyAccessExpression(value))) {
      return { local: target.getText(), statement, declaration: undefined };
    }
  }
  return undefined;
}

/** The calls of a name in a file. */
export function callsOf(file: SourceFile, local: string): readonly CallExpression[] {
  return usesOf(file, local).flatMap((use) => {
    const call = use.getParent();
    return Node.isCallExpression(call) && call.getExpression() === use ? [call] : [];
  });
}

/** A function with a body. */
export type WrittenFunction = ArrowFunction | FunctionDeclaration | FunctionExpression | MethodDeclaration;

/** The nearest function around a node. */
export function functionAround(node: Node): WrittenFunction | undefined {
  return node.getFirstAncestor(
    (ancestor): ancestor is WrittenFunction =>
      Node.isArrowFunction(ancestor) ||
      Node.isFunctionDeclaration(ancestor) ||
      Node.isFunctionExpression(ancestor) ||
      Node.isMethodDeclaration(ancestor),
  );
}

/** The top-level statement that contains a node. */
export function topStatement(node: Node): Node {
  const parent = node.getParent();
  return parent === undefined || parent.getKind() === SyntaxKind.SourceFile ? node : topStatement(parent);
}
