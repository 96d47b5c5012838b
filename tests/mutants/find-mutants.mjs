// The small changes that can be made to a source: what mutants.mjs chooses from.
import ts from "typescript";

const SWAPPED = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "&&": "||", "||": "&&" };
const isCall = (node) => ts.isCallExpression(ts.isAwaitExpression(node) ? node.expression : node);
/** Text that code compares, sends or stores: no type, import, name of a member, or sentence for a reader. */
const isData = (node) => node.parent.name !== node && node.parent.moduleSpecifier !== node && !node.text.includes(" ");

/** The changes of one node, as `[kind, changed part, its new text]`. */
function* changesOf(node) {
  const { kind, parent, operatorToken } = node;
  const [isTrue, isFalse] = [kind === ts.SyntaxKind.TrueKeyword, kind === ts.SyntaxKind.FalseKeyword];
  const condition = ts.isIfStatement(node) ? node.expression : ts.isConditionalExpression(node) ? node.condition : null;
  if (condition !== null) yield ["negated condition", condition, `!(${condition.getText()})`];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    yield ["removed !", node, node.operand.getText()];
  if (ts.isBinaryExpression(node) && operatorToken.getText() in SWAPPED) {
    const swap = /&&|\|\|/.test(operatorToken.getText()) ? "swapped && and ||" : "swapped comparison";
    yield [swap, node, `(${node.left.getText()}) ${SWAPPED[operatorToken.getText()]} (${node.right.getText()})`];
  }
  if ((ts.isReturnStatement(node) || ts.isThrowStatement(node)) && isInIf(node))
    yield ["removed early exit", node, ";"];
  if (ts.isExpressionStatement(node) && isCall(node.expression)) yield ["removed call", node, ";"];
  if (parent === undefined || ts.isLiteralTypeNode(parent)) return;
  if (ts.isNumericLiteral(node)) yield ["changed literal", node, `(${node.getText()} + 1)`];
  if (ts.isStringLiteral(node) && isData(node)) yield ["changed literal", node, JSON.stringify(`${node.text}x`)];
  if (isTrue || isFalse) yield ["changed literal", node, String(isFalse)];
}

const isInIf = ({ parent }) => ts.isIfStatement(parent) || (ts.isBlock(parent) && ts.isIfStatement(parent.parent));

/** Every mutant of a file. Function, kind, text and number identify it in any version, also if the function moved to another file. */
export function mutantsOf(file, code) {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const visit = (node, path) => {
    const isFunction = ts.isFunctionLike(node) && node.body !== undefined;
    const name = isFunction ? (node.name ?? node.parent.name)?.getText() : undefined;
    const inner = name === undefined ? path : [...path, name];
    for (const [kind, part, replacement] of changesOf(node)) {
      const id = { function: inner.join("."), kind, text: part.getText() };
      const nth = mutants.filter((other) => isSame(other, { ...id, nth: other.nth })).length;
      const { line } = source.getLineAndCharacterOfPosition(part.getStart());
      mutants.push({ file, line: line + 1, ...id, nth, replacement, start: part.getStart(), end: part.end });
    }
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, []);
  return mutants;
}

export const isSame = (one, other) => ["function", "kind", "text", "nth"].every((key) => one[key] === other[key]);
