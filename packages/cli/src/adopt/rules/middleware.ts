import { type ImportDeclaration, Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { usesOf } from "../identifiers.ts";
import { moduleReferences, requoted } from "../module-references.ts";
import { outermost } from "../object-literals.ts";

const FILE = /^(?:\/src)?\/(?:middleware|proxy)\.[cm]?[jt]sx?$/;
const MAIN = "@cardea/next";
const READER = "@cardea/next/middleware";

/** The types of the main entry that the one for middleware has as well. */
const TYPES = ["NextAuthConfig", "NextAuthMiddleware", "NextAuthRequest", "NextConfigSource"];

/**
 * `proxy.ts` and `middleware.ts` with an instance of their own import it from `@cardea/next/middleware`, which decides in the same way
 * and brings nothing else:
 *
 * 1. Only `auth` of the instance is used, and the file uses nothing else of the main entry.
 * 2. Where a test mocks the main entry, the import stays.
 */
export function moveMiddleware({ project, framework }: Application): Draft {
  const draft = new Draft();
  if (framework !== "next") return draft;
  const isMain = ({ specifier }: { readonly specifier: string }) => specifier === MAIN;
  const all = project.getSourceFiles();
  if (all.some((file) => moduleReferences(file).some((one) => isMain(one) && one.kind === "mock"))) return draft;
  for (const file of all.filter((one) => FILE.test(one.getFilePath()))) {
    const [reference, ...others] = moduleReferences(file).filter(isMain);
    const declaration = reference?.literal.getParent();
    if (reference === undefined || others.length > 0 || !Node.isImportDeclaration(declaration)) continue;
    if (!isReader(file, declaration)) continue;
    draft.replace(reference.literal, requoted(reference.literal, READER));
    draft.note("changed", reference.literal, `${MAIN} → ${READER}`, "it decides in the same way (docs/next.md)");
  }
  return draft;
}

/** Whether a file uses an import for instances of which it takes `auth` alone. */
function isReader(file: SourceFile, declaration: ImportDeclaration): boolean {
  const standard = declaration.getDefaultImport()?.getText();
  const named = declaration.getNamedImports().filter((one) => !TYPES.includes(one.getName()));
  if (declaration.getNamespaceImport() !== undefined || named.some((one) => one.getName() !== "createAuth"))
    return false;
  const makers = named.map((one) => (one.getAliasNode() ?? one.getNameNode()).getText());
  const uses = [...makers, ...(standard === undefined ? [] : [standard])].flatMap((name) => usesOf(file, name));
  return uses.length > 0 && uses.every(takesAuthAlone);
}

function takesAuthAlone(maker: Node): boolean {
  const call = outermost(maker).getParent();
  if (!Node.isCallExpression(call) || call.getExpression() !== outermost(maker)) return false;
  const user = outermost(call).getParent();
  if (Node.isPropertyAccessExpression(user)) return user.getName() === "auth";
  const target = Node.isVariableDeclaration(user) ? user.getNameNode() : undefined;
  const elements = Node.isObjectBindingPattern(target) ? target.getElements() : [];
  const isAuth = elements.map((one) => (one.getPropertyNameNode() ?? one.getNameNode()).getText() === "auth");
  return elements.length > 0 && isAuth.every(Boolean) && elements.every((one) => one.getDotDotDotToken() === undefined);
}
