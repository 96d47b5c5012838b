import { type Expression, Node, type ObjectLiteralElementLike, type Statement } from "ts-morph";
import type { Application } from "../application.ts";
import { type Callback, callbackMembers, callbackOf, resultsOf } from "../callback-members.ts";
import { createAuthCalls, partsOf } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { objectIn, unwrap } from "../object-literals.ts";

/**
 * Names callbacks with a result that refuses more than it did:
 *
 * 1. `callbacks.jwt` of NextAuth v4 without a token: the session went on.
 * 2. `callbacks.session` without a session in Hono: `authUser` was set.
 * 3. `callbacks.signIn` with an object or a number: any true value allowed.
 */
export function nameCallbackResults(application: Application): Draft {
  const draft = new Draft();
  const seen = new Set<Node>();
  for (const call of createAuthCalls(application)) {
    const [given] = call.getArguments();
    if (given === undefined) continue;
    const configuration = partsOf(application, given);
    for (const [name, isNamed, what, why] of resultsIn(application)) {
      for (const property of callbackMembers(application, configuration, name).properties) {
        if (seen.has(property) || !isNamed(application, property)) continue;
        seen.add(property);
        draft.note("look", property, what, why);
      }
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
      ? [["session", mayBeEmpty, "`callbacks.session` may return no session", HONO] as const]
      : []),
    ["signIn", mayBeObject, "`callbacks.signIn` may return something other than a boolean or a URL", SIGN_IN],
  ];
}

const JWT =
  "NextAuth went on with the session; null now ends it, and without a result it cannot be read (docs/callbacks.md#jwt)";
const HONO = "@hono/auth-js went on with the user; there is none now (docs/from-authjs.md#session-empty)";
const SIGN_IN = "any true value allowed; only `true` does now: `Boolean(…)` keeps what was (docs/callbacks.md#signin)";

/** Whether a callback may return nothing, null or an object without members. */
function mayBeEmpty(application: Application, property: ObjectLiteralElementLike): boolean {
  const callback = callbackOf(application, property);
  if (callback === undefined) return false;
  return !endsWithResult(callback) || resultsOf(callback).some((one) => one === undefined || isEmpty(one));
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

/** Whether a callback returns a value that is certainly an object or a number, or a parameter of its own. */
function mayBeObject(application: Application, property: ObjectLiteralElementLike): boolean {
  const callback = callbackOf(application, property);
  const pattern = callback?.getParameters()[0]?.getNameNode();
  const parameters = Node.isObjectBindingPattern(pattern) ? pattern.getElements().map((one) => one.getName()) : [];
  const isObject = (given: Node): boolean => {
    const value = unwrap(given);
    if (Node.isConditionalExpression(value)) return [value.getWhenTrue(), value.getWhenFalse()].some(isObject);
    if (Node.isBinaryExpression(value))
      return /^(?:&&|\|\||\?\?)$/.test(value.getOperatorToken().getText()) && isObject(value.getRight());
    const isParameter = Node.isIdentifier(value) && parameters.includes(value.getText());
    const isMade =
      Node.isObjectLiteralExpression(value) || Node.isArrayLiteralExpression(value) || Node.isNewExpression(value);
    return isParameter || isMade || Node.isNumericLiteral(value);
  };
  return callback !== undefined && resultsOf(callback).some((one) => one !== undefined && isObject(one));
}
