import {
  type ArrowFunction,
  type Expression,
  type FunctionDeclaration,
  type FunctionExpression,
  type MethodDeclaration,
  Node,
  type ObjectLiteralElementLike,
  SyntaxKind,
} from "ts-morph";
import type { Application } from "./application.ts";
import { type Parts, partsOf } from "./configuration.ts";
import type { Draft } from "./draft.ts";
import { functionAround } from "./former-import.ts";
import { isTypeScript } from "./identifiers.ts";
import { nameOf, unwrap } from "./object-literals.ts";
import { valueAt } from "./resolve-value.ts";
import { inStyle, styleOf } from "./source-style.ts";

/** A function of `callbacks`. */
export type Callback = ArrowFunction | FunctionExpression | FunctionDeclaration | MethodDeclaration;

/** What a configuration has of one callback. */
export interface CallbackMembers {
  readonly properties: readonly ObjectLiteralElementLike[];
  /** The names of constants and functions that were followed. */
  readonly names: Parts["names"];
  /** Expressions that may contain the callback, and were not understood. */
  readonly unread: readonly Node[];
}

/** The members `callbacks.<name>` in all literals of a configuration; none and nothing unread if it has no callbacks. */
export function callbackMembers(application: Application, configuration: Parts, name: string): CallbackMembers {
  const given = configuration.literals.flatMap((literal) =>
    literal.getProperties().filter((one) => nameOf(one) === "callbacks"),
  );
  const parts = given.map((property): Parts => {
    const value = valueIn(property);
    return value === undefined ? { literals: [], names: [], unread: [property] } : partsOf(application, value);
  });
  return {
    properties: parts.flatMap(({ literals }) =>
      literals.flatMap((literal) => literal.getProperties().filter((one) => nameOf(one) === name)),
    ),
    names: [...configuration.names, ...parts.flatMap((one) => one.names)],
    unread: [...parts.flatMap((one) => one.unread), ...configuration.unread],
  };
}

/** The value of a member: its initializer, or the name in `{ name }`. */
function valueIn(property: ObjectLiteralElementLike): Node | undefined {
  if (Node.isShorthandPropertyAssignment(property)) return property.getNameNode();
  return Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
}

/** The function that a member is, wherever it is declared. */
export function callbackOf(application: Application, property: ObjectLiteralElementLike): Callback | undefined {
  const value = valueIn(property);
  return Node.isMethodDeclaration(property) ? property : value && functionAt(application, value);
}

/** The function that an expression is or names. */
export function functionAt(application: Application, value: Node): Callback | undefined {
  const found = valueAt(application, value);
  return isCallback(found) ? found : undefined;
}

function isCallback(node: Node | undefined): node is Callback {
  return (
    Node.isArrowFunction(node) ||
    Node.isFunctionExpression(node) ||
    Node.isFunctionDeclaration(node) ||
    Node.isMethodDeclaration(node)
  );
}

/** The expressions that a callback returns; undefined for a `return` without one. The end of its body returns nothing. */
export function resultsOf(callback: Callback): readonly (Expression | undefined)[] {
  const body = callback.getBody();
  if (Node.isArrowFunction(callback) && Node.isExpression(body)) return [body];
  return callback
    .getDescendantsOfKind(SyntaxKind.ReturnStatement)
    .filter((statement) => functionAround(statement) === callback)
    .map((statement) => statement.getExpression());
}

/** Writes a callback as one that returns another value: an expression of its `result`. */
export function wrapCallback(draft: Draft, property: ObjectLiteralElementLike, returned: string): void {
  const file = property.getSourceFile();
  const source = file.getFullText();
  const style = styleOf(source);
  const value = valueIn(property);
  const blanks = /^[ \t]*/.exec(source.slice(source.lastIndexOf("\n", property.getStart()) + 1))?.[0] ?? "";
  const [before = "", after = ""] = [
    `${nameOf(property)}: async (given) => {\n${blanks}${style.indent}const result${isTypeScript(file) ? ": unknown" : ""} = await `,
    `(given);\n${blanks}${style.indent}return ${returned};\n${blanks}}`,
  ].map((text) => inStyle(text, style));
  draft.replace(property, before + (value === undefined ? asArrow(property) : textOf(value)) + after);
}

function textOf(value: Node): string {
  const inner = unwrap(value);
  return Node.isIdentifier(inner) ? inner.getText() : `(${inner.getText()})`;
}

/** A method as an arrow function; its body keeps its lines. */
function asArrow(method: Node): string {
  if (!Node.isMethodDeclaration(method)) return "";
  const type = method.getReturnTypeNode();
  const parameters = method.getParameters().map((one) => one.getText());
  const head = `${method.isAsync() ? "async " : ""}(${parameters.join(", ")})${type === undefined ? "" : `: ${type.getText()}`}`;
  return `(${head} => ${method.getBody()?.getText()})`;
}
