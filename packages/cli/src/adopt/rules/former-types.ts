import { type Identifier, Node, type PropertyAccessExpression, type SourceFile, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { isTypeScript, usesOf } from "../identifiers.ts";
import { styleOf } from "../source-style.ts";

const MAIL_TYPES =
  /^(?:EmailConfig|EmailUserConfig|SendVerificationRequestParams|NodemailerConfig|VerificationRequest)$/;

/**
 * Adds casts for values whose type was narrower or different, so that the code still compiles. Runtime values do not
 * change:
 *
 * 1. `provider.from` of a verification request was a string in earlier versions of Auth.js; now it may be undefined.
 * 2. `error` of `signIn()` in the browser was null without an error in NextAuth v4; now it is undefined.
 * 3. `auth(handler)(request, event)` may have been cast to a response; it returns a promise.
 * 4. `session.user` of NextAuth v4 had no `id`, and may have been cast to a type with a numeric `id`; now it is a
 *    string.
 */
export function keepFormerTypes({ project, former }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles().filter(isTypeScript)) {
    for (const use of sendersIn(file)) {
      const { quote } = styleOf(file.getFullText());
      draft.insert(file, use.getEnd(), ` ?? ${quote}${quote}`);
      draft.note("changed", use, "`provider.from` keeps its former type, string");
    }
    for (const use of former === "nextauth-v4" ? errorsIn(file) : []) {
      draft.insert(file, use.getEnd(), " ?? null");
      draft.note("changed", use, "`error` stays null for a sign-in without an error");
    }
    castResults(draft, file);
    if (former === "nextauth-v4") castUsers(draft, file);
  }
  return draft;
}

/** `provider.from` used as a value, in a file that handles verification requests. */
function sendersIn(file: SourceFile): readonly PropertyAccessExpression[] {
  const isAboutMail = file.getImportDeclarations().some((item) => {
    const names = item.getNamedImports().map((named) => named.getName());
    return item.getModuleSpecifierValue() === "@cardea/providers-email" || names.some((name) => MAIL_TYPES.test(name));
  });
  if (!isAboutMail) return [];
  return file
    .getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)
    .filter((access) => /^(?:\w+\.)?provider\.from$/.test(access.getText()) && isPassedOn(access));
}

/** `error` of a variable assigned from `await signIn(…)`, used as a value. */
function errorsIn(file: SourceFile): readonly Node[] {
  const imported = findImport(file, ["next-auth/react", "@cardea/next/react"], "signIn");
  return (imported === undefined ? [] : callsOf(file, imported.local)).flatMap((call) => {
    const awaited = call.getParent();
    const declaration = awaited?.getParent();
    if (!Node.isAwaitExpression(awaited) || !Node.isVariableDeclaration(declaration)) return [];
    const scope = declaration.getFirstAncestorByKind(SyntaxKind.Block);
    return usesOf(file, declaration.getName()).flatMap((use: Identifier) => {
      const access = use.getParent();
      const isError = Node.isPropertyAccessExpression(access) && access.getName() === "error" && isPassedOn(access);
      return isError && use.getAncestors().some((ancestor) => ancestor === scope) ? [access] : [];
    });
  });
}

/**
 * Whether a node is an argument, a member or an initializer, and not a condition or the object of a property access.
 */
function isPassedOn(node: Node): boolean {
  const parent = node.getParent();
  if (Node.isCallExpression(parent)) return parent.getExpression() !== node;
  if (Node.isPropertyAssignment(parent)) return parent.getInitializer() === node;
  return Node.isBinaryExpression(parent) && parent.getOperatorToken().getText() === "=" && parent.getRight() === node;
}

/** `auth(handler)(request, event) as NextResponse`. */
function castResults(draft: Draft, file: SourceFile): void {
  for (const cast of file.getDescendantsOfKind(SyntaxKind.AsExpression)) {
    const call = cast.getExpression();
    const made = Node.isCallExpression(call) ? call.getExpression() : undefined;
    const maker = Node.isCallExpression(made) ? made.getExpression() : undefined;
    const isDone = cast.getTypeNode()?.getText() === "unknown";
    if (isDone || maker === undefined || !/(?:^|\.)auth$/.test(maker.getText())) continue;
    draft.insert(file, call.getEnd(), " as unknown");
    draft.note("changed", cast, "cast of the result of `auth(handler)`");
  }
}

/** `session.user as { id: number }`. */
function castUsers(draft: Draft, file: SourceFile): void {
  for (const cast of file.getDescendantsOfKind(SyntaxKind.AsExpression)) {
    const type = cast.getTypeNode();
    const user = cast.getExpression();
    if (!/session(?:\([^()]*\))?\W*\.user!?$/i.test(user.getText()) || !Node.isTypeLiteral(type)) continue;
    const id = type.getProperty("id")?.getTypeNode()?.getText();
    if (id === undefined || /\bstring\b/.test(id)) continue;
    draft.insert(file, user.getEnd(), " as unknown");
    draft.note("changed", cast, "cast of `session.user` to a type whose `id` is not a string");
  }
}
