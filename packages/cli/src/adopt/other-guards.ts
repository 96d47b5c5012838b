import { Node } from "ts-morph";
import type { Application } from "./application.ts";
import { createAuthCalls, isOneConfiguration, partsOf } from "./configuration.ts";
import type { GoneName } from "./gone-names.ts";
import { usesOfDeclared } from "./identifiers.ts";
import type { ModuleReference } from "./module-references.ts";
import { outermost, propertyNamed } from "./object-literals.ts";

const MODULE = "next-auth/middleware";

/**
 * Guards of NextAuth v4 for the session of one of several configurations: `withAuth` with `cookies`, or with options that may have them. The
 * function of that name here reads Cardea's default cookie besides the former one, so that it would admit the sessions of another
 * configuration. Such an import is left, and the file does not load.
 */
export function otherGuards(
  application: Application,
  { literal, specifier, kind }: ModuleReference,
): readonly GoneName[] {
  const declaration = literal.getParent();
  const isImport = kind === "import" && Node.isImportDeclaration(declaration);
  if (specifier !== MODULE || !isImport || isOneConfiguration(application, createAuthCalls(application))) return [];
  const named = declaration.getNamedImports().map((one) => one.getAliasNode() ?? one.getNameNode());
  const names = [declaration.getDefaultImport(), declaration.getNamespaceImport(), ...named];
  const uses = names.flatMap((name) => (name === undefined ? [] : usesOfDeclared(name)));
  return uses.filter((use) => mayNameCookie(application, use)).map((node) => ({ node, what: WHAT, why: WHY }));
}

const WHAT = "`withAuth` may read the session of one of several configurations";
const WHY =
  "its function here reads the default cookie of Cardea as well: take `auth` of the instance whose cookie it is, as middleware or in it";

function mayNameCookie(application: Application, use: Node): boolean {
  const parent = outermost(use).getParent();
  const callee = Node.isPropertyAccessExpression(parent) ? outermost(parent) : outermost(use);
  const call = callee.getParent();
  if (!Node.isCallExpression(call) || call.getExpression() !== callee) return false;
  return call.getArguments().some((given, index) => {
    if (Node.isArrowFunction(given) || Node.isFunctionExpression(given)) return false;
    const { literals, unread } = partsOf(application, given);
    // The first argument may be the request, or a handler by its name.
    return literals.some((literal) => propertyNamed(literal, "cookies")) || (index > 0 && unread.length > 0);
  });
}
