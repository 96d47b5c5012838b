import { type CallExpression, Node, SyntaxKind } from "ts-morph";
import { usesOfDeclared } from "./identifiers.ts";
import { textOf } from "./resolve-value.ts";

/** A place that takes an export of a module: a specifier, an element of a pattern, or an access to a member. */
export interface NamedPart {
  readonly node: Node;
  /** undefined for a use of the whole module. */
  readonly name: string | undefined;
}

/** The exports of a module that a declaration or a call with its specifier uses. */
export function namesFrom(parent: Node): readonly NamedPart[] {
  if (Node.isImportDeclaration(parent)) {
    const space = parent.getNamespaceImport();
    const standard = parent.isTypeOnly() ? undefined : parent.getDefaultImport();
    const values = parent.isTypeOnly() ? [] : parent.getNamedImports().filter((one) => !one.isTypeOnly());
    return [
      ...(standard === undefined ? [] : [{ node: standard, name: "default" }]),
      ...(space === undefined ? values.map((node) => ({ node, name: node.getName() })) : membersOf(space)),
    ];
  }
  if (Node.isExportDeclaration(parent)) {
    const named = parent.getNamedExports();
    return parent.isTypeOnly() || named.length > 0
      ? named.map((node) => ({ node, name: node.getName() }))
      : [{ node: parent, name: undefined }];
  }
  if (Node.isExternalModuleReference(parent)) {
    const statement = parent.getParent();
    return Node.isImportEqualsDeclaration(statement) ? membersOf(statement.getNameNode()) : [];
  }
  if (!Node.isCallExpression(parent)) return [];
  const awaited = parent.getParent();
  return followed(parent) ?? readsOf(Node.isAwaitExpression(awaited) ? awaited : parent);
}

/** What the function of `import("…").then(…)` takes of the module; undefined without one. */
function followed(call: CallExpression): readonly NamedPart[] | undefined {
  const access = call.getParent();
  if (!Node.isPropertyAccessExpression(access) || access.getName() !== "then") return undefined;
  const then = access.getParent();
  const [next] = Node.isCallExpression(then) ? then.getArguments() : [];
  if (!Node.isArrowFunction(next) && !Node.isFunctionExpression(next)) return [{ node: call, name: undefined }];
  const [parameter] = next.getParameters();
  return parameter === undefined ? [] : takenBy(parameter.getNameNode());
}

/** The members of a module's value that are read: `value.name`, `const { name } = value`, `const space = value`. */
function readsOf(value: Node): readonly NamedPart[] {
  const parent = value.getParent();
  if (Node.isParenthesizedExpression(parent)) return readsOf(parent);
  if (Node.isExpressionStatement(parent)) return [];
  if (Node.isPropertyAccessExpression(parent)) return [{ node: parent, name: parent.getName() }];
  if (Node.isElementAccessExpression(parent)) return [{ node: parent, name: textOf(parent.getArgumentExpression()) }];
  return Node.isVariableDeclaration(parent) ? takenBy(parent.getNameNode()) : [{ node: value, name: undefined }];
}

function takenBy(target: Node): readonly NamedPart[] {
  if (Node.isIdentifier(target)) return membersOf(target);
  return target.getDescendantsOfKind(SyntaxKind.BindingElement).map((node) => {
    const isRest = node.getDotDotDotToken() !== undefined;
    return { node, name: isRest ? undefined : (node.getPropertyNameNode() ?? node.getNameNode()).getText() };
  });
}

/** The members of a name for the whole module. A call is one of its default export. */
function membersOf(space: Node): readonly NamedPart[] {
  return usesOfDeclared(space).flatMap((use): readonly NamedPart[] => {
    const parent = use.getParent();
    const isRead = !Node.isCallExpression(parent) && !Node.isQualifiedName(parent) && !Node.isTypeQuery(parent);
    return isRead ? readsOf(use) : [];
  });
}
