import { type CallExpression, Node, type ObjectLiteralElementLike, type ObjectLiteralExpression } from "ts-morph";

/** The expression inside parentheses, `as`, `satisfies` and `!`. */
export function unwrap(node: Node): Node {
  const isWrapped =
    Node.isAsExpression(node) ||
    Node.isTypeAssertion(node) ||
    Node.isSatisfiesExpression(node) ||
    Node.isParenthesizedExpression(node) ||
    Node.isNonNullExpression(node);
  return isWrapped ? unwrap(node.getExpression()) : node;
}

/** The expression around a node with its value: in parentheses, cast, or with `!`. */
export function outermost(node: Node): Node {
  const parent = node.getParent();
  return parent !== undefined && unwrap(parent) !== parent ? outermost(parent) : node;
}

/** The object literal inside parentheses, `as`, `satisfies` and `!`. */
export function objectIn(node: Node | undefined): ObjectLiteralExpression | undefined {
  const inner = node && unwrap(node);
  return Node.isObjectLiteralExpression(inner) ? inner : undefined;
}

/** The object literal that a call gets as its first argument. */
export function optionsOf(call: CallExpression): ObjectLiteralExpression | undefined {
  return objectIn(call.getArguments()[0]);
}

/** A member by its name, whichever way it is written. */
export function propertyNamed(object: ObjectLiteralExpression, name: string): ObjectLiteralElementLike | undefined {
  return object.getProperties().find((property) => nameOf(property) === name);
}

/** The name of a member: `name`, `"name"`, `["name"]`, or `[NAME]` with a constant of the file; undefined for others. */
export function nameOf(property: ObjectLiteralElementLike): string | undefined {
  if (Node.isSpreadAssignment(property)) return undefined;
  const node = property.getNameNode();
  const given = Node.isComputedPropertyName(node) ? unwrap(node.getExpression()) : node;
  if (Node.isStringLiteral(given) || Node.isNoSubstitutionTemplateLiteral(given)) return given.getLiteralValue();
  if (given === node) return node.getText();
  const named = Node.isIdentifier(given) ? given.getSourceFile().getVariableDeclaration(given.getText()) : undefined;
  const value = named?.getInitializer();
  const text = value && unwrap(value);
  return Node.isStringLiteral(text) || Node.isNoSubstitutionTemplateLiteral(text) ? text.getLiteralValue() : undefined;
}

/** The value of a member: its initializer, or the method itself. */
export function valueNamed(object: ObjectLiteralExpression, name: string): Node | undefined {
  const property = propertyNamed(object, name);
  if (Node.isPropertyAssignment(property)) return property.getInitializer();
  if (Node.isShorthandPropertyAssignment(property)) return property.getNameNode();
  return Node.isMethodDeclaration(property) ? property : undefined;
}

/** Where a further member goes, and how it is set off: after the last one. */
export function afterLastMember(
  object: ObjectLiteralExpression,
  member: string,
): { readonly at: number; readonly text: string } {
  const last = object.getProperties().at(-1);
  const source = object.getSourceFile().getFullText();
  if (last === undefined) return { at: object.getStart() + 1, text: ` ${member} ` };
  const lineStart = source.lastIndexOf("\n", last.getStart() - 1);
  const isMultiline = lineStart > object.getStart();
  const blanks = /^[ \t]*/.exec(source.slice(lineStart + 1))?.[0] ?? "";
  const eol = source[lineStart - 1] === "\r" ? "\r\n" : "\n";
  const comma = /^\s*,/.exec(source.slice(last.getEnd()));
  const at = last.getEnd() + (comma?.[0].length ?? 0);
  const lead = comma === null ? "," : "";
  return {
    at,
    text: isMultiline ? `${lead}${eol}${blanks}${member},` : `${lead} ${member}${comma === null ? "" : ","}`,
  };
}
