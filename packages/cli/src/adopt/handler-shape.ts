import { type CallExpression, Node, type SourceFile } from "ts-morph";
import { functionAround, topStatement, type WrittenFunction } from "./former-import.ts";
import { usesOf } from "./identifiers.ts";
import { unwrap } from "./object-literals.ts";

/** A statement of the route that the move removes, or replaces where something else shares it. */
export interface HandlerExport {
  readonly node: Node;
  /** What stays of it; empty to remove it. */
  readonly text: string;
}

/** Code that the move would drop or break, so that the route is left as it is. */
export interface Obstacle {
  readonly node: Node;
  readonly why: string;
}

/** How a file calls `NextAuth()` and passes the handler on. */
export interface HandlerShape {
  /** `const handler = NextAuth(…)`, `export default NextAuth(…)`, `export const GET = NextAuth(…)`. */
  readonly statements: readonly Node[];
  /** `export { handler as GET, handler as POST }`, `export const GET = handler`, `export default handler`. */
  readonly exports: readonly HandlerExport[];
  readonly obstacle: Obstacle | undefined;
}

const METHOD = /^(?:GET|POST)$/;

/** Reads how a file uses its calls of `NextAuth()`. Everything that is not understood is an obstacle. */
export function handlerShape(file: SourceFile, calls: readonly CallExpression[]): HandlerShape {
  const statements = [...new Set(calls.map(topStatement))];
  const names = statements.flatMap(declaredName);
  const exports = [
    ...names.flatMap((name) => [...passesOf(file, name), ...assignmentsOf(file, name)]),
    ...clausesOf(file, names),
  ];
  const parts = [...statements, ...exports.map(({ node }) => node)];
  const obstacle =
    calls.map((call) => callObstacle(call, calls)).find((found) => found !== undefined) ??
    names.map((name) => useObstacle(file, name, parts)).find((found) => found !== undefined) ??
    rivalOf(file, parts);
  return { statements, exports, obstacle };
}

/** The name that a statement declares for the handler. */
function declaredName(statement: Node): readonly string[] {
  if (Node.isVariableStatement(statement)) return statement.getDeclarations().map((one) => one.getName());
  return Node.isFunctionDeclaration(statement) ? [statement.getName() ?? ""] : [];
}

/** A call that is more than the handler itself, such as one among other statements of a function. */
function callObstacle(call: CallExpression, calls: readonly CallExpression[]): Obstacle | undefined {
  const options = call.getArguments().at(-1)?.getText();
  if (calls[0]?.getArguments().at(-1)?.getText() !== options)
    return { node: call, why: "its handlers have different options" };
  const around = functionAround(call);
  if (around === undefined) return isWhole(call) ? undefined : { node: call, why: "its result is passed on" };
  const extra = extraOf(around, call);
  if (extra !== undefined) return { node: extra, why: "the function around `NextAuth()` does more than call it" };
  if (Node.isFunctionDeclaration(around) && topStatement(around) === around) return undefined;
  return isWhole(around) ? undefined : { node: call, why: "its result is passed on" };
}

/** Whether a value is all that its statement declares or exports. */
function isWhole(value: Node): boolean {
  const statement = topStatement(value);
  if (Node.isVariableStatement(statement)) {
    const [declaration, ...others] = statement.getDeclarations();
    const given = declaration?.getInitializer();
    return others.length === 0 && given !== undefined && unwrap(given) === value;
  }
  if (Node.isExportAssignment(statement)) return unwrap(statement.getExpression()) === value;
  const assigned = Node.isExpressionStatement(statement) ? statement.getExpression() : undefined;
  return (
    Node.isBinaryExpression(assigned) &&
    /^(?:module\.exports|exports\.(?:GET|POST|default))$/.test(assigned.getLeft().getText()) &&
    unwrap(assigned.getRight()) === value
  );
}

/** What a function has besides a call with its own parameters; undefined if there is nothing else. */
function extraOf(around: WrittenFunction, call: CallExpression): Node | undefined {
  const body = around.getBody();
  const statements = Node.isBlock(body) ? body.getStatements() : [];
  const extra = statements.find((one) => !call.getAncestors().includes(one));
  if (extra !== undefined) return extra;
  const [only] = statements;
  const isResult = Node.isReturnStatement(only) || Node.isExpressionStatement(only);
  const value = Node.isBlock(body) ? (isResult ? only.getExpression() : undefined) : body;
  if (value === undefined) return call;
  const inner = unwrap(value);
  const result = Node.isAwaitExpression(inner) ? unwrap(inner.getExpression()) : inner;
  const isCalled = Node.isCallExpression(result) && unwrap(result.getExpression()) === call;
  const given = isCalled ? result.getArguments() : result === call ? call.getArguments().slice(0, -1) : undefined;
  return given !== undefined && isForwarded(around, given) ? undefined : (only ?? value);
}

/** Whether the arguments are the function's parameters, in order. */
function isForwarded(around: WrittenFunction, given: readonly Node[]): boolean {
  const parameters = around.getParameters();
  return given.every((one, index) => {
    const text = parameters[index]?.getNameNode().getText();
    return text !== undefined && (one.getText() === text || one.getText() === `...${text}`);
  });
}

/** `export const GET = handler`, and functions that only call the handler. */
function passesOf(file: SourceFile, name: string): readonly HandlerExport[] {
  return usesOf(file, name).flatMap((use): HandlerExport[] => {
    const statement = topStatement(use);
    const [declared] = declaredName(statement);
    const isMethod = declared !== undefined && METHOD.test(declared) && declared !== name;
    const isDefault = Node.isFunctionDeclaration(statement) && statement.isDefaultExport() && declared !== name;
    const isArrow = Node.isExportAssignment(statement) && functionAround(use) !== undefined;
    const isOne = isMethod || isDefault || isArrow;
    return isOne && isPassed(use, statement) ? [{ node: statement, text: "" }] : [];
  });
}

function isPassed(use: Node, statement: Node): boolean {
  const around = functionAround(use);
  if (around === undefined) return isWhole(use);
  const call = use.getParent();
  if (!Node.isCallExpression(call) || call.getExpression() !== use) return false;
  const isWholeFunction = around === statement || isWhole(around);
  const body = around.getBody();
  const only = Node.isBlock(body) ? body.getStatements() : [];
  const first = only[0];
  const value = !Node.isBlock(body) ? body : Node.isReturnStatement(first) ? first.getExpression() : undefined;
  const inner = value && unwrap(value);
  const result = Node.isAwaitExpression(inner) ? unwrap(inner.getExpression()) : inner;
  return isWholeFunction && only.length < 2 && result === call && isForwarded(around, call.getArguments());
}

/** `export default handler`, `module.exports = handler`. */
function assignmentsOf(file: SourceFile, name: string): readonly HandlerExport[] {
  const uses = usesOf(file, name).filter((use) => {
    const statement = topStatement(use);
    return (
      !Node.isVariableStatement(statement) &&
      !Node.isFunctionDeclaration(statement) &&
      functionAround(use) === undefined &&
      isWhole(use)
    );
  });
  return uses.map((use) => ({ node: topStatement(use), text: "" }));
}

/** `export { handler as GET, handler as POST, other }`, of which `other` stays. */
function clausesOf(file: SourceFile, names: readonly string[]): readonly HandlerExport[] {
  return file.getExportDeclarations().flatMap((clause): HandlerExport[] => {
    if (clause.hasModuleSpecifier()) return [];
    const exported = clause.getNamedExports();
    const kept = exported.filter((one) => {
      const outside = one.getAliasNode()?.getText() ?? one.getName();
      return !names.includes(one.getName()) || !/^(?:GET|POST|default)$/.test(outside);
    });
    if (kept.length === exported.length) return [];
    const end = clause.getText().endsWith(";") ? ";" : "";
    const text = kept.length === 0 ? "" : `export { ${kept.map((one) => one.getText()).join(", ")} }${end}`;
    return [{ node: clause, text }];
  });
}

/** A use of the handler's name that would remain when the handler is gone. */
function useObstacle(file: SourceFile, name: string, parts: readonly Node[]): Obstacle | undefined {
  const use = usesOf(file, name).find((one) => !parts.includes(topStatement(one)));
  const exported = file
    .getExportDeclarations()
    .filter((clause) => !clause.hasModuleSpecifier())
    .flatMap((clause) => clause.getNamedExports())
    .find((one) => one.getName() === name && !/^(?:GET|POST|default)$/.test(one.getAliasNode()?.getText() ?? name));
  const node = use ?? exported;
  return node && { node, why: `\`${name}\` is used here` };
}

/** Another `GET` or `POST` of the file. */
function rivalOf(file: SourceFile, parts: readonly Node[]): Obstacle | undefined {
  const names = [...file.getFunctions(), ...file.getVariableDeclarations()];
  const node = names.find((one) => METHOD.test(one.getName() ?? "") && !parts.includes(topStatement(one)));
  return node && { node, why: "the route has a handler of its own" };
}
