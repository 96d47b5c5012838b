import { type Expression, Node, SyntaxKind } from "ts-morph";
import { usesOf } from "./identifiers.ts";
import { outermost } from "./object-literals.ts";

/** A claim that code reads of a profile, or the profile as a whole. */
export interface ProfileRead {
  /** undefined for the profile as a whole, as an argument or a member; `""` for a claim whose name is not written there. */
  readonly claim: string | undefined;
  /** The expression with its value. */
  readonly place: Node;
}

/** What code reads of the profile that a parameter or variable receives. */
export function readsOf(name: Node): readonly ProfileRead[] {
  if (Node.isIdentifier(name)) return usesIn(name).flatMap(readsAt);
  if (!Node.isObjectBindingPattern(name)) return [];
  return name.getElements().flatMap((element): readonly ProfileRead[] => {
    const inner = element.getNameNode();
    if (element.getDotDotDotToken() !== undefined) return readsOf(inner);
    const claim = nameIn(element.getPropertyNameNode() ?? inner);
    if (!Node.isIdentifier(inner)) return [{ claim, place: element }];
    const uses = usesIn(inner).map((place) => ({ claim, place }));
    return element.getInitializer() === undefined ? uses : uses.slice(0, 1).map(() => ({ claim, place: element }));
  });
}

/** What code reads where an expression has the profile as its value. */
export function readsAt(use: Node): readonly ProfileRead[] {
  const outer = outermost(use);
  if (outer !== use && !isOnlyWrapped(use, outer)) return [];
  const parent = outer.getParent();
  if (Node.isPropertyAccessExpression(parent)) return [{ claim: parent.getName(), place: parent }];
  if (Node.isElementAccessExpression(parent) && parent.getExpression() === outer)
    return [{ claim: textIn(parent.getArgumentExpression()), place: parent }];
  if (Node.isVariableDeclaration(parent))
    return parent.getTypeNode() === undefined ? readsOf(parent.getNameNode()) : [{ claim: undefined, place: outer }];
  return isFree(outer) ? [] : [{ claim: undefined, place: outer }];
}

/** Whether nothing but parentheses and `!` is between two nodes. A cast has another type. */
function isOnlyWrapped(inner: Node, outer: Node): boolean {
  const between = [outer, ...inner.getAncestors().filter((one) => one.getAncestors().includes(outer))];
  return between.every((one) => Node.isParenthesizedExpression(one) || Node.isNonNullExpression(one));
}

function usesIn(name: Node): readonly Node[] {
  const scope = name.getFirstAncestor(
    (one) => Node.isFunctionLikeDeclaration(one) || Node.isFunctionExpression(one) || Node.isBlock(one),
  );
  return usesOf(name.getSourceFile(), name.getText()).filter(
    (use) => use !== name && (scope === undefined || use.getAncestors().includes(scope)),
  );
}

function nameIn(name: Node): string {
  return Node.isComputedPropertyName(name) ? textIn(name.getExpression()) : name.getText().replace(/^["']|["']$/g, "");
}

function textIn(given: Expression | undefined): string {
  return Node.isStringLiteral(given) || Node.isNoSubstitutionTemplateLiteral(given) ? given.getLiteralValue() : "";
}

const FREE_CALLS = /^(?:console\.\w+|String|Boolean|JSON\.stringify|Object\.\w+)$/;

const COMPARISONS = /^(?:[=!]==?|in|instanceof)$/;

/** Whether a value of any type may stand here: in a condition, a comparison, a text, a cast, a statement or a log. */
function isFree(node: Node): boolean {
  const parent = node.getParent();
  if (Node.isParenthesizedExpression(parent)) return isFree(parent);
  if (Node.isConditionalExpression(parent)) return parent.getCondition() === node || isFree(parent);
  if (Node.isBinaryExpression(parent)) {
    const operator = parent.getOperatorToken().getText();
    return COMPARISONS.test(operator) || (/^(?:&&|\|\||\?\?)$/.test(operator) && isFree(parent));
  }
  if (Node.isCallExpression(parent))
    return parent.getExpression() !== node && FREE_CALLS.test(parent.getExpression().getText());
  return (
    Node.isAsExpression(parent) ||
    Node.isTypeAssertion(parent) ||
    Node.isTemplateSpan(parent) ||
    Node.isPrefixUnaryExpression(parent) ||
    Node.isTypeOfExpression(parent) ||
    Node.isIfStatement(parent) ||
    Node.isExpressionStatement(parent)
  );
}

/** Whether a claim of an unknown type does not compile at its place. */
export function needsType(place: Node): boolean {
  const parent = place.getParent();
  if (Node.isVariableDeclaration(parent) && Node.isIdentifier(parent.getNameNode()) && !parent.getTypeNode())
    return usesIn(parent.getNameNode()).some(needsType);
  return !isFree(place);
}

/**
 * Whether an absent claim does not compile at its place.
 *
 * @param required members of the user that may not be absent.
 */
export function needsValue(place: Node, required: ReadonlySet<string>): boolean {
  const parent = place.getParent();
  if (isFree(place) || Node.isNonNullExpression(parent) || Node.isSpreadAssignment(parent)) return false;
  if (Node.isParenthesizedExpression(parent)) return needsValue(parent, required);
  if (Node.isConditionalExpression(parent)) return needsValue(parent, required);
  if (Node.isPropertyAccessExpression(parent) || Node.isElementAccessExpression(parent))
    return parent.getExpression() !== place || !parent.hasQuestionDotToken();
  if (Node.isBinaryExpression(parent)) {
    const operator = parent.getOperatorToken().getText();
    if (/^(?:\|\||\?\?)$/.test(operator) && parent.getLeft() === place) return false;
    return !/^(?:&&|\|\||\?\?)$/.test(operator) || needsValue(parent, required);
  }
  if (Node.isPropertyAssignment(parent) || Node.isShorthandPropertyAssignment(parent))
    return required.has(parent.getName()) || !USER.test(parent.getName());
  if (Node.isBindingElement(place)) return place.getInitializer() === undefined;
  if (Node.isVariableDeclaration(parent) && Node.isIdentifier(parent.getNameNode()) && !parent.getTypeNode())
    return usesIn(parent.getNameNode()).some((use) => needsValue(use, required));
  return parent?.getKind() !== SyntaxKind.VoidExpression;
}

/** Members of a user that may be absent as well. */
const USER = /^["']?(?:id|name|email|image)["']?$/;
