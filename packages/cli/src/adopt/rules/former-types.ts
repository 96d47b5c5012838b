import { type Identifier, Node, type PropertyAccessExpression, type SourceFile, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { isTypeScript, usesOf } from "../identifiers.ts";
import { styleOf } from "../source-style.ts";

const MAIL_TYPES =
  /^(?:EmailConfig|EmailUserConfig|SendVerificationRequestParams|NodemailerConfig|VerificationRequest)$/;

/**
 * Values whose type was narrower, or another, where TypeScript would stop at them. What they are at run time stays the same:
 *
 * 1. `provider.from` of a verification request was text in earlier versions of Auth.js, and may be undefined.
 * 2. `error` of `signIn()` in the browser was null in NextAuth v4 where there is none, and is undefined.
 * 3. `auth(handler)(request, event)` may have been cast to a response; it is a promise of one.
 */
export function keepFormerTypes({ project, former }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles().filter(isTypeScript)) {
    for (const use of sendersIn(file)) {
      const { quote } = styleOf(file.getFullText());
      draft.insert(file, use.getEnd(), ` ?? ${quote}${quote}`);
      draft.note("changed", use, "`provider.from` is text, as it was typed");
    }
    for (const use of former === "nextauth-v4" ? errorsIn(file) : []) {
      draft.insert(file, use.getEnd(), " ?? null");
      draft.note("changed", use, "the `error` of a sign-in without one is null, as it was");
    }
    castResults(draft, file);
  }
  return draft;
}

/** `provider.from` in a file that speaks of verification requests, where a value is wanted. */
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

/** `error` of what a variable got of `await signIn(…)`, where a value is wanted. */
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

/** An argument, a member or what a variable is set to: not a condition, and nothing that is read further. */
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
    draft.note("changed", cast, "a cast of what `auth(handler)` resolves to");
  }
}
