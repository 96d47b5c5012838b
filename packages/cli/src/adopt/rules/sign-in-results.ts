import { type CallExpression, Node, type SourceFile, SyntaxKind, type VariableDeclaration } from "ts-morph";
import type { Application } from "../application.ts";
import { instancesOf } from "../auth-instance.ts";
import { Draft } from "../draft.ts";
import { callsOf } from "../former-import.ts";
import { isTypeScript, usesOf } from "../identifiers.ts";

/** Members of the result of `signIn()` in the browser. */
const MEMBERS: Readonly<Record<string, string>> = {
  code: "string",
  error: "string",
  ok: "boolean",
  status: "number",
  url: "string",
};

/**
 * `signIn()` of an instance with `redirect: false` resolves to a URL, in Auth.js v5 as well, which typed it as `any`.
 * Code that reads members of the browser's result, such as `error`, compiles with a cast, and the report names it,
 * because these members are never set.
 */
export function typeSignInResults({ project, resolve }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles().filter(isTypeScript)) {
    for (const declaration of file.getImportDeclarations()) {
      const home = resolve(file, declaration.getModuleSpecifierValue());
      const names = home === undefined ? [] : instancesOf(home).map(({ members }) => members.get("signIn"));
      for (const named of declaration.getNamedImports().filter((one) => names.includes(one.getName())))
        for (const call of callsOf(file, named.getAliasNode()?.getText() ?? named.getName())) cast(draft, file, call);
    }
  }
  return draft;
}

function cast(draft: Draft, file: SourceFile, call: CallExpression): void {
  const result = resultOf(call);
  const names = result?.declaration.getTypeNode() === undefined ? membersOfResult(file, call) : [];
  if (result === undefined || names.length === 0) return;
  const { awaited } = result;
  const type = names.map((name) => `${name}?: ${MEMBERS[name]}`).join("; ");
  draft.insert(file, awaited.getEnd(), ` as unknown as { ${type} }`);
  draft.note(
    "look",
    call,
    `members of the result of \`signIn()\` on a server are read: ${names.map((name) => `\`${name}\``).join(", ")}`,
    "as before, it is a URL without these members; wrong credentials are thrown as `CredentialsSignin`",
  );
}

/** The variable with the result of a call that does not redirect. */
function resultOf(call: CallExpression) {
  const awaited = call.getParent();
  const declaration = awaited?.getParent();
  const staysHere = /\bredirect:\s*false\b/.test(call.getArguments()[1]?.getText() ?? "");
  if (!staysHere || !Node.isAwaitExpression(awaited) || !Node.isVariableDeclaration(declaration)) return undefined;
  return { awaited, declaration };
}

/** The members that code reads of the result of a call of `signIn()`. */
export function membersOfResult(file: SourceFile, call: CallExpression): readonly string[] {
  const result = resultOf(call);
  return result === undefined ? [] : membersRead(file, result.declaration);
}

/** `result.error`, `"error" in result` and `const { error } = …`. */
function membersRead(file: SourceFile, declaration: VariableDeclaration): readonly string[] {
  const name = declaration.getNameNode();
  if (Node.isObjectBindingPattern(name))
    return known(name.getElements().map((one) => (one.getPropertyNameNode() ?? one.getNameNode()).getText()));
  const scope = declaration.getFirstAncestorByKind(SyntaxKind.Block);
  const uses = usesOf(file, name.getText()).filter((use) => use.getAncestors().some((one) => one === scope));
  return known(
    uses.map((use) => {
      const parent = use.getParent();
      if (Node.isPropertyAccessExpression(parent)) return parent.getName();
      const isIn = Node.isBinaryExpression(parent) && parent.getOperatorToken().getText() === "in";
      const left = isIn ? parent.getLeft() : undefined;
      return Node.isStringLiteral(left) ? left.getLiteralValue() : "";
    }),
  );
}

function known(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => Object.hasOwn(MEMBERS, name)).sort();
}
