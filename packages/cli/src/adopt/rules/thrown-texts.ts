import { type CallExpression, Node, type SourceFile, SyntaxKind, type ThrowStatement } from "ts-morph";
import { type Application, mainPackage } from "../application.ts";
import { valueNamedBy } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { optionsOf, unwrap, valueNamed } from "../object-literals.ts";
import { membersOfResult } from "./sign-in-results.ts";

/**
 * In NextAuth v4, the text of an error that `authorize` threw was shown to the user. Now only `CredentialsSignin` means wrong
 * credentials; anything else is a fault of the application.
 *
 * 1. `throw new Error(text)` and `throw text` in `authorize` become `throw new CredentialsSignin(text)`.
 * 2. Every other `throw` in it is named.
 * 3. So is code in the browser that reads the text in the result of `signIn()`.
 */
export function moveThrownTexts(application: Application): Draft {
  const draft = new Draft();
  if (application.former !== "nextauth-v4") return draft;
  for (const file of application.project.getSourceFiles()) {
    const imported = findImport(file, ["@cardea/providers-credentials"], "default");
    for (const call of imported === undefined ? [] : callsOf(file, imported.local)) moveIn(draft, application, call);
  }
  if (draft.notes.some(({ kind }) => kind === "changed")) nameReaders(draft, application);
  return draft;
}

function nameReaders(draft: Draft, { project }: Application): void {
  for (const file of project.getSourceFiles()) {
    const imported = findImport(file, ["next-auth/react", "@cardea/next/react"], "signIn");
    for (const call of imported === undefined ? [] : callsOf(file, imported.local)) {
      if (!membersOfResult(file, call).includes("error")) continue;
      draft.note(
        "look",
        call,
        "`error` of the result of `signIn()` is read",
        "it was the text that `authorize` threw, and is `CredentialsSignin` now: read `code`, which a subclass of it sets (docs/credentials.md)",
      );
    }
  }
}

function moveIn(draft: Draft, application: Application, call: CallExpression): void {
  const options = optionsOf(call);
  const given = options && valueNamed(options, "authorize");
  const value = given && unwrap(given);
  const authorize = Node.isIdentifier(value)
    ? valueNamedBy(application, value.getSourceFile(), value.getText())
    : value;
  for (const thrown of authorize?.getDescendantsOfKind(SyntaxKind.ThrowStatement) ?? [])
    moveThrow(draft, application, thrown);
}

function moveThrow(draft: Draft, application: Application, thrown: ThrowStatement): void {
  const value = unwrap(thrown.getExpression());
  const file = thrown.getSourceFile();
  const made = Node.isNewExpression(value) || Node.isCallExpression(value) ? value : undefined;
  const name = made?.getExpression().getText();
  if (name === "CredentialsSignin") return;
  if (name !== "Error" && !isText(value)) {
    draft.note(
      "look",
      thrown,
      "`authorize` throws something other than a text",
      "it is logged as a fault, and the page shows `Configuration`: throw `CredentialsSignin` for wrong credentials",
    );
    return;
  }
  const text = name === "Error" ? (made?.getArguments().map((one) => one.getText()) ?? []).join(", ") : value.getText();
  draft.replace(value, `new CredentialsSignin(${text})`);
  importError(draft, application, file);
  draft.note(
    "changed",
    thrown,
    "a text thrown in `authorize` → `CredentialsSignin`",
    "the sign-in page receives `error=CredentialsSignin` and `code=credentials` in place of the text; a subclass with another `code` tells reasons apart (docs/credentials.md)",
  );
}

function isText(value: Node): boolean {
  return Node.isStringLiteral(value) || Node.isNoSubstitutionTemplateLiteral(value) || Node.isTemplateExpression(value);
}

function importError(draft: Draft, application: Application, file: SourceFile): void {
  const module = mainPackage(application);
  draft.import(file, module, "CredentialsSignin");
  draft.added.add(module);
}
