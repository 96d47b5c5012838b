import { type Expression, Node, type ObjectLiteralElementLike, type Statement, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import {
  type Callback,
  callbackMembers,
  callbackOf,
  functionAt,
  resultsOf,
  wrapCallback,
} from "../callback-members.ts";
import { configurationGiven, createAuthCalls, partsOf } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { objectIn, unwrap } from "../object-literals.ts";

/**
 * Callbacks with a result that refuses more than it did:
 *
 * 1. `callbacks.jwt` of NextAuth v4 without a token is named: the session went on.
 * 2. `callbacks.session` without a session in Hono is named: `authUser` was set.
 * 3. The result of `callbacks.signIn` with an object or a number is converted: any true value allowed. What it throws in NextAuth v4 is
 *    named: the error page received its text.
 */
export function keepCallbackResults(application: Application): Draft {
  const draft = new Draft();
  const seen = new Set<Node>();
  for (const call of createAuthCalls(application)) {
    const given = configurationGiven(application, call);
    if (given === undefined) continue;
    const configuration = partsOf(application, given);
    for (const [name, isNamed, what, why] of resultsIn(application)) {
      for (const property of callbackMembers(application, configuration, name).properties) {
        if (seen.has(property) || !isNamed(application, property)) continue;
        seen.add(property);
        draft.note("look", property, what, why);
      }
    }
    for (const property of callbackMembers(application, configuration, "signIn").properties) {
      if (seen.has(property)) continue;
      keepSignIn(draft, application, property);
      if (application.former === "nextauth-v4") nameThrown(draft, application, property);
      seen.add(property);
    }
  }
  return draft;
}

type Named = readonly [
  name: string,
  isNamed: (application: Application, property: ObjectLiteralElementLike) => boolean,
  what: string,
  why: string,
];

function resultsIn({ former, framework }: Application): readonly Named[] {
  const isFormer = former === "nextauth-v4";
  return [
    ...(isFormer ? [["jwt", mayBeEmpty, "`callbacks.jwt` may return no token", JWT] as const] : []),
    ...(framework === "hono"
      ? [["session", mayLoseMembers, "`callbacks.session` may return no session", HONO] as const]
      : []),
  ];
}

const JWT =
  "NextAuth went on with the session; null now ends it, and without a result it cannot be read (docs/callbacks.md#jwt)";
const HONO = "@hono/auth-js went on with the user; there is none now (docs/from-authjs.md#session-empty)";

/** Whether a callback may return nothing, null or an object without members. */
function mayBeEmpty(application: Application, property: ObjectLiteralElementLike): boolean {
  const callback = callbackOf(application, property);
  if (callback === undefined) return false;
  return !endsWithResult(callback) || resultsOf(callback).some((one) => one === undefined || isEmpty(one));
}

/** Whether a callback may return nothing, or a session from which it deleted members. */
function mayLoseMembers(application: Application, property: ObjectLiteralElementLike): boolean {
  const deleted = callbackOf(application, property)?.getDescendantsOfKind(SyntaxKind.DeleteExpression) ?? [];
  return deleted.length > 0 || mayBeEmpty(application, property);
}

function isEmpty(given: Expression): boolean {
  const value = unwrap(given);
  if (Node.isConditionalExpression(value)) return [value.getWhenTrue(), value.getWhenFalse()].some(isEmpty);
  if (Node.isBinaryExpression(value)) return isEmpty(value.getRight()) || value.getOperatorToken().getText() === "&&";
  const members = objectIn(value)?.getProperties();
  return Node.isNullLiteral(value) || value.getText() === "undefined" || members?.length === 0;
}

function endsWithResult(callback: Callback): boolean {
  const body = callback.getBody();
  return !Node.isBlock(body) || endsAlways(body.getStatements().at(-1));
}

function endsAlways(last: Statement | undefined): boolean {
  if (Node.isBlock(last)) return endsAlways(last.getStatements().at(-1));
  if (Node.isIfStatement(last)) return endsAlways(last.getThenStatement()) && endsAlways(last.getElseStatement());
  if (Node.isTryStatement(last))
    return endsAlways(last.getTryBlock()) && endsAlways(last.getCatchClause()?.getBlock() ?? last.getFinallyBlock());
  return Node.isReturnStatement(last) || Node.isThrowStatement(last);
}

/** Whether a callback returns what may be an object or a number, also by a function that it calls. */
function mayBeObject(application: Application, callback: Callback, depth = 0): boolean {
  const isObject = (given: Node): boolean => {
    const value = unwrap(given);
    if (Node.isAwaitExpression(value)) return isObject(value.getExpression());
    if (Node.isConditionalExpression(value)) return [value.getWhenTrue(), value.getWhenFalse()].some(isObject);
    if (Node.isBinaryExpression(value))
      return /^(?:&&|\|\||\?\?)$/.test(value.getOperatorToken().getText()) && isObject(value.getRight());
    const called = Node.isCallExpression(value) ? functionAt(application, value.getExpression()) : undefined;
    if (called !== undefined) return depth < MAX_DEPTH && mayBeObject(application, called, depth + 1);
    // A user, account or profile, as the callback receives them.
    const [declared] = Node.isIdentifier(value) ? (value.getSymbol()?.getDeclarations() ?? []) : [];
    const isMade =
      Node.isObjectLiteralExpression(value) || Node.isArrayLiteralExpression(value) || Node.isNewExpression(value);
    return isMade || Node.isNumericLiteral(value) || Node.isBindingElement(declared);
  };
  return resultsOf(callback).some((one) => one !== undefined && isObject(one));
}

/** A longer chain is a cycle. */
const MAX_DEPTH = 8;

function nameThrown(draft: Draft, application: Application, property: ObjectLiteralElementLike): void {
  for (const thrown of callbackOf(application, property)?.getDescendantsOfKind(SyntaxKind.ThrowStatement) ?? [])
    draft.note("look", thrown, "`callbacks.signIn` throws", THROWN);
}

const THROWN =
  "NextAuth sent the text to the error page as `error`; it is `AccessDenied` now. To tell reasons apart, return the path of your page: `/auth/error?error=…`";

/** `callbacks.signIn`: any true value but a text allowed. */
function keepSignIn(draft: Draft, application: Application, property: ObjectLiteralElementLike): void {
  const callback = callbackOf(application, property);
  if (callback === undefined || !mayBeObject(application, callback)) return;
  const why =
    "a text is a URL; other true values allowed a sign-in, and now only `true` does (docs/callbacks.md#signin)";
  if (callback.getDescendantsOfKind(SyntaxKind.ThisKeyword).length > 0) {
    draft.note("look", property, "`callbacks.signIn` may return something other than a boolean or a URL", why);
    return;
  }
  wrapCallback(draft, property, 'typeof result === "string" ? result : Boolean(result)');
  draft.note("changed", property, "`callbacks.signIn` counts any true value, as before", why);
}
