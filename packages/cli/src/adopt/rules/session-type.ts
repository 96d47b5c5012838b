import { Node, type ObjectLiteralExpression, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { functionAround } from "../former-import.ts";
import { isTypeScript } from "../identifiers.ts";
import { objectIn, valueNamed } from "../object-literals.ts";

/** Claims whose type is known without an augmentation. */
const TYPED = /^(?:name|email|picture|sub|iat|exp|jti)$/;

/**
 * The return type of `callbacks.session` is the type of every session. Auth.js used the augmented `Session` instead,
 * even if a member came from a token claim of unknown type. Such a return value is cast to `Session`.
 */
export function typeSessions(application: Application): Draft {
  const draft = new Draft();
  const augmented = interfacesIn(application);
  if (!augmented.has("Session")) return draft;
  const seen = new Set<Node>();
  for (const call of createAuthCalls(application)) {
    for (const literal of configurationOf(application, call)) {
      const callbacks = objectIn(valueNamed(literal, "callbacks"));
      const callback = callbacks === undefined ? undefined : valueNamed(callbacks, "session");
      if (callback === undefined || seen.has(callback) || !isTypeScript(callback.getSourceFile())) continue;
      seen.add(callback);
      castReturns(draft, callback, augmented.get("JWT") ?? new Set());
    }
  }
  return draft;
}

/** Members of interfaces that the application augments, by interface name. */
function interfacesIn({ project }: Application): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of project.getSourceFiles().filter((one) => one.getFullText().includes("interface"))) {
    for (const declaration of file.getDescendantsOfKind(SyntaxKind.InterfaceDeclaration)) {
      if (declaration.getFirstAncestorByKind(SyntaxKind.ModuleDeclaration) === undefined) continue;
      const members = found.get(declaration.getName()) ?? new Set();
      for (const property of declaration.getProperties()) members.add(property.getName());
      found.set(declaration.getName(), members);
    }
  }
  return found;
}

function castReturns(draft: Draft, callback: Node, claims: ReadonlySet<string>): void {
  const session = sessionNameOf(callback);
  if (session === undefined) return;
  const returned = callback
    .getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)
    .filter((object) => isReturned(object, callback) && spreads(object, session) && hasUnknownClaim(object, claims));
  for (const object of returned) {
    draft.insert(object.getSourceFile(), object.getEnd(), ` as typeof ${session}`);
    draft.note("changed", object, "`callbacks.session` now returns the application's `Session` type");
  }
}

/** The name of the session parameter of a callback: `({ session, token }) => …`. */
function sessionNameOf(callback: Node): string | undefined {
  const isFunction =
    Node.isArrowFunction(callback) || Node.isMethodDeclaration(callback) || Node.isFunctionExpression(callback);
  const pattern = isFunction ? callback.getParameters()[0]?.getNameNode() : undefined;
  if (!Node.isObjectBindingPattern(pattern)) return undefined;
  return pattern
    .getElements()
    .find((element) => (element.getPropertyNameNode() ?? element.getNameNode()).getText() === "session")
    ?.getName();
}

function isReturned(object: ObjectLiteralExpression, callback: Node): boolean {
  const parent = object.getParent();
  if (Node.isReturnStatement(parent)) return functionAround(parent) === callback;
  return Node.isParenthesizedExpression(parent) && parent.getParent() === callback;
}

function spreads(object: ObjectLiteralExpression, name: string): boolean {
  return object
    .getProperties()
    .some((property) => Node.isSpreadAssignment(property) && property.getExpression().getText() === name);
}

/** `role: token.role`, if no interface declares its type. */
function hasUnknownClaim(object: ObjectLiteralExpression, claims: ReadonlySet<string>): boolean {
  return object.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression).some((access) => {
    const name = access.getName();
    const isValue = Node.isPropertyAssignment(access.getParent());
    return isValue && access.getExpression().getText() === "token" && !TYPED.test(name) && !claims.has(name);
  });
}
