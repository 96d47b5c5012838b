import { Node, type ObjectLiteralElementLike, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { type AuthUse, authUses } from "../auth-uses.ts";
import { callbackMembers, callbackOf, resultsOf, wrapCallback } from "../callback-members.ts";
import { configurationGiven, createAuthCalls, partsOf } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { leadsOnlyTo } from "../leads-to.ts";
import { unwrap } from "../object-literals.ts";

/**
 * `callbacks.authorized` of Auth.js v5 allowed a request with any true value; here only `true` allows:
 *
 * 1. The callback is called by one that converts its result as Auth.js did: a `Response` stays one, and any other value counts as true
 *    or false. No value denies, in both.
 * 2. In front of `auth(handler)` Auth.js used a `Response` alone, and any other value let the handler decide. So it does where `auth` of
 *    every instance with this callback wraps handlers, is nowhere middleware itself, and nothing else may use the callback; elsewhere the
 *    report names it.
 * 3. A callback whose results are only `true`, `Response` and values that count as false stays as it is.
 * 4. One that is not found is not changed. It denies at least what it denied, and the report names it.
 */
export function keepAuthorized(application: Application): Draft {
  const draft = new Draft();
  if (application.former !== "authjs-v5") return draft;
  const found = new Map<ObjectLiteralElementLike, Set<AuthUse>>();
  const calls = createAuthCalls(application);
  const names = new Set<Node>();
  for (const call of calls) {
    const given = configurationGiven(application, call);
    if (given === undefined) continue;
    const authorized = callbackMembers(application, partsOf(application, given), "authorized");
    for (const name of authorized.names) names.add(name);
    for (const property of authorized.properties)
      found.set(property, new Set([...(found.get(property) ?? []), ...authUses(application, call)]));
    const unread = authorized.properties.length === 0 ? authorized.unread[0] : undefined;
    if (unread !== undefined) draft.note("look", unread, "a configuration that may have `authorized`", ONLY_TRUE);
  }
  for (const [property, uses] of found) {
    if (!leadsOnlyTo(application, property, { calls: new Set(calls), names })) uses.add("other");
    if (application.framework === "sveltekit") nameHandle(draft, property);
    if (application.framework === "next") keepResult(draft, application, property, uses);
  }
  return draft;
}

const ONLY_TRUE = "only `true` allows a request, and no longer any other value (docs/from-authjs.md#authorized-true)";

function keepResult(
  draft: Draft,
  application: Application,
  property: ObjectLiteralElementLike,
  uses: ReadonlySet<AuthUse>,
): void {
  const callback = callbackOf(application, property);
  const isBoth = uses.has("handler") && uses.has("other");
  if (isBoth) draft.note("look", property, "`auth(handler)` does not run the handler if `authorized` denies", HANDLER);
  if (callback === undefined || callback.getDescendantsOfKind(SyntaxKind.ThisKeyword).length > 0) {
    draft.note("look", property, "`authorized` was not changed", ONLY_TRUE);
    return;
  }
  const isHandlers = uses.has("handler") && !isBoth;
  if (!isHandlers && resultsOf(callback).every((one) => one === undefined || isTrueOrResponse(one))) return;
  wrapCallback(draft, property, `result instanceof Response ? result : ${isHandlers ? "true" : "Boolean(result)"}`);
  if (isHandlers) draft.note("changed", property, "only a `Response` of `authorized` counts, as before", HANDLER);
  else draft.note("changed", property, "`authorized` counts any true value, as before", ONLY_TRUE);
}

const HANDLER =
  "in front of `auth(handler)`, Auth.js used a `Response` of `authorized` alone; any other value let the handler decide (docs/from-authjs.md#authorized-false)";

const COMPARISON = /^(?:[!=]==?|[<>]=?|in|instanceof)$/;

/** Whether a value that counts as true can only be `true` or a `Response`. */
function isTrueOrResponse(given: Node): boolean {
  const node = unwrap(given);
  if (Node.isTrueLiteral(node) || Node.isFalseLiteral(node) || Node.isNullLiteral(node)) return true;
  if (Node.isPrefixUnaryExpression(node)) return node.getOperatorToken() === SyntaxKind.ExclamationToken;
  if (Node.isConditionalExpression(node)) return [node.getWhenTrue(), node.getWhenFalse()].every(isTrueOrResponse);
  if (Node.isBinaryExpression(node)) {
    const operator = node.getOperatorToken().getText();
    if (operator === "&&") return isTrueOrResponse(node.getRight());
    const isChoice = operator === "||" || operator === "??";
    return isChoice ? [node.getLeft(), node.getRight()].every(isTrueOrResponse) : COMPARISON.test(operator);
  }
  if (Node.isNewExpression(node)) return /^(?:Next)?Response$/.test(node.getExpression().getText());
  if (Node.isCallExpression(node))
    return /^(?:Boolean|(?:Next)?Response\.(?:redirect|json|error|next|rewrite))$/.test(node.getExpression().getText());
  if (!Node.isIdentifier(node)) return false;
  const [declared, ...others] = node.getSymbol()?.getDeclarations() ?? [];
  if (!Node.isVariableDeclaration(declared) || others.length > 0) return node.getText() === "undefined";
  const value = declared.getInitializer();
  const isConstant = declared.getVariableStatement()?.getDeclarationKind() === "const";
  return isConstant && value !== undefined && Node.isIdentifier(declared.getNameNode()) && isTrueOrResponse(value);
}

function nameHandle(draft: Draft, property: Node): void {
  draft.note(
    "look",
    property,
    "`handle` calls `authorized`",
    "@auth/sveltekit did not call it; remove it if it is not meant to guard (docs/from-authjs.md#kit-authorized)",
  );
}
