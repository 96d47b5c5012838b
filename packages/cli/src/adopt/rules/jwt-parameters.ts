import { Node, type ObjectLiteralExpression, type TypeLiteralNode } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls, valueNamedBy } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { isTypeScript } from "../identifiers.ts";
import { objectIn, valueNamed } from "../object-literals.ts";

/** Present only at sign-in. Auth.js typed some of them as always present. */
const AT_SIGN_IN = /^(?:user|account|profile|trigger|isNewUser|session)$/;

/**
 * An explicit type for the parameter of `callbacks.jwt`, such as `{ token: JWT; user: User }`, declares that the user
 * is always present. As before, it is present only at sign-in, so these members become optional. The function may be in
 * another file.
 */
export function typeJwtParameters(application: Application): Draft {
  const draft = new Draft();
  const seen = new Set<Node>();
  for (const call of createAuthCalls(application)) {
    for (const literal of configurationOf(application, call)) {
      const type = parameterTypeOf(callbackOf(application, literal));
      if (type === undefined || seen.has(type)) continue;
      seen.add(type);
      makeOptional(draft, type);
    }
  }
  return draft;
}

function callbackOf(application: Application, literal: ObjectLiteralExpression): Node | undefined {
  const callbacks = objectIn(valueNamed(literal, "callbacks"));
  const value = callbacks === undefined ? undefined : valueNamed(callbacks, "jwt");
  return Node.isIdentifier(value) ? valueNamedBy(application, value.getSourceFile(), value.getText()) : value;
}

function parameterTypeOf(callback: Node | undefined): TypeLiteralNode | undefined {
  if (
    !Node.isArrowFunction(callback) &&
    !Node.isFunctionExpression(callback) &&
    !Node.isFunctionDeclaration(callback) &&
    !Node.isMethodDeclaration(callback)
  )
    return undefined;
  const type = callback.getParameters()[0]?.getTypeNode();
  return Node.isTypeLiteral(type) && isTypeScript(type.getSourceFile()) ? type : undefined;
}

function makeOptional(draft: Draft, type: TypeLiteralNode): void {
  const required = type.getProperties().filter((one) => AT_SIGN_IN.test(one.getName()) && !one.hasQuestionToken());
  for (const one of required) draft.insert(one.getSourceFile(), one.getNameNode().getEnd(), "?");
  if (required.length > 0)
    draft.note(
      "changed",
      type,
      "optional members in the parameter of `callbacks.jwt`, which are present only at sign-in",
    );
}
