import {
  type ArrowFunction,
  type CallExpression,
  type FunctionExpression,
  type MethodDeclaration,
  Node,
  type ObjectLiteralExpression,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import type { Application } from "../application.ts";
import { valueNamedBy } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { hasName, usesOf } from "../identifiers.ts";
import { objectIn, propertyNamed, valueNamed } from "../object-literals.ts";
import { inStyle, styleOf } from "../source-style.ts";
import { dropNames } from "./imports.ts";

const MODULES = ["next-auth/middleware"];

/**
 * `withAuth` of NextAuth v4. Middleware is given an instance without providers that reads the same cookie. Its session
 * includes the token that `withAuth` provided, so that `authorized` and `req.nextauth.token` keep working.
 *
 * 1. `export { default } from "next-auth/middleware"`.
 * 2. `withAuth(options)`, `withAuth(handler)`, `withAuth(handler, options)`.
 */
export function moveWithAuth(application: Application): Draft {
  const draft = new Draft();
  for (const file of application.project.getSourceFiles()) {
    moveReExport(draft, file);
    const imported = findImport(file, MODULES, "withAuth") ?? findImport(file, MODULES, "default");
    const declaration = imported?.declaration;
    if (imported === undefined || declaration === undefined) continue;
    const unread = usesOf(file, imported.local).flatMap((use) => unreadOf(application, use));
    for (const { node, why } of unread)
      draft.note("left", node, "`withAuth` was not moved", `${why}; use \`auth\` of an instance as middleware`);
    if (unread.length > 0) {
      // The replacement's default export is another function, so that the name must not be found there.
      const standard = declaration.getDefaultImport();
      if (standard !== undefined) draft.replace(standard, `{ withAuth as ${standard.getText()} }`);
      continue;
    }
    for (const use of usesOf(file, imported.local)) moveExport(draft, use);
    for (const call of callsOf(file, imported.local)) moveCall(draft, call);
    moveRequests(draft, file);
    dropNames(draft, declaration, ["withAuth"]);
    if (declaration.getDefaultImport() !== undefined) draft.remove(declaration);
    draft.import(file, "@cardea/next", "createAuth");
    draft.added.add("@cardea/next");
  }
  return draft;
}

interface Unread {
  readonly node: Node;
  readonly why: string;
}

/**
 * Why a use of `withAuth` cannot be moved. A callback `authorized` that is not read would be replaced by one that
 * admits every signed-in user, so that nothing is moved then.
 */
function unreadOf(application: Application, use: Node): readonly Unread[] {
  const call = use.getParent();
  if (Node.isExportAssignment(call)) return [];
  if (!Node.isCallExpression(call) || call.getExpression() !== use)
    return [{ node: use, why: "it is not called here" }];
  const given = call.getArguments();
  const options = objectIn(given[1]) ?? objectIn(given[0]);
  const [first] = given;
  const named = Node.isIdentifier(first) ? valueNamedBy(application, first.getSourceFile(), first.getText()) : first;
  const isHandler = given.length === 1 && (isFunction(named) || Node.isFunctionDeclaration(named));
  if (options === undefined) return given.length === 0 || isHandler ? [] : [{ node: call, why: OPTIONS }];
  const callbacks = propertyNamed(options, "callbacks");
  const literal = objectIn(valueNamed(options, "callbacks"));
  const authorized = literal === undefined ? undefined : propertyNamed(literal, "authorized");
  const isRead = callbacks === undefined || (literal !== undefined && !hasSpread(literal));
  if (hasSpread(options) || !isRead) return [{ node: call, why: OPTIONS }];
  if (usesLocals(options)) return [{ node: call, why: "its options use names of the function around it" }];
  const isPlain = authorized === undefined || isFunction(valueNamed(literal ?? options, "authorized"));
  return isPlain ? [] : [{ node: authorized, why: "`authorized` is not a function written here" }];
}

const OPTIONS = "its options are not written here";

/** Whether options use parameters or variables of a function around them, which the instance cannot see. */
function usesLocals(options: ObjectLiteralExpression): boolean {
  const around = options.getAncestors().filter((one) => isFunction(one) || Node.isFunctionDeclaration(one));
  const locals = around.flatMap((one) => [
    ...one.getDescendantsOfKind(SyntaxKind.Parameter),
    ...one.getDescendantsOfKind(SyntaxKind.VariableDeclaration),
    ...one.getDescendantsOfKind(SyntaxKind.BindingElement),
  ]);
  const names = locals.filter((one) => !one.getAncestors().includes(options)).map((one) => one.getName());
  return options.getDescendantsOfKind(SyntaxKind.Identifier).some((one) => names.includes(one.getText()));
}

function hasSpread(literal: ObjectLiteralExpression): boolean {
  return literal.getProperties().some(Node.isSpreadAssignment);
}

function isFunction(node: Node | undefined): node is ArrowFunction | FunctionExpression | MethodDeclaration {
  return Node.isArrowFunction(node) || Node.isMethodDeclaration(node) || Node.isFunctionExpression(node);
}

/** `export default middleware`, of the default import. */
function moveExport(draft: Draft, use: Node): void {
  const statement = use.getParent();
  if (!Node.isExportAssignment(statement)) return;
  const file = use.getSourceFile();
  const style = styleOf(file.getFullText());
  const name = hasName(file, "auth") ? "middlewareAuth" : "auth";
  const text = instance("", "({ auth }) => auth !== null", style.indent, name);
  draft.insert(file, statement.getStart(), inStyle(`${text}\n\n`, style));
  draft.replace(use, name);
  draft.note("changed", statement, MOVED);
}

const MOVED = "`withAuth` → `auth` of an instance for middleware";

function moveReExport(draft: Draft, file: SourceFile): void {
  for (const declaration of file.getExportDeclarations()) {
    const isMiddleware = declaration.getModuleSpecifierValue() === "next-auth/middleware";
    const named = declaration.getNamedExports()[0];
    if (!isMiddleware || named === undefined) continue;
    const exported = named.getAliasNode()?.getText() ?? named.getName();
    const style = styleOf(file.getFullText());
    const text = instance("", "({ auth }) => auth !== null", style.indent);
    const line = exported === "default" ? "export default auth;" : `export const ${exported} = auth;`;
    draft.replace(declaration, inStyle(`import { createAuth } from "@cardea/next";\n\n${text}\n\n${line}`, style));
    draft.note("changed", declaration, MOVED);
    draft.added.add("@cardea/next");
  }
}

function moveCall(draft: Draft, call: CallExpression): void {
  const file = call.getSourceFile();
  const style = styleOf(file.getFullText());
  const [first, second] = call.getArguments();
  const options = objectIn(second) ?? objectIn(first);
  const handler = objectIn(first) === undefined ? first : undefined;
  const callbacks = options === undefined ? undefined : objectIn(valueNamed(options, "callbacks"));
  const authorized = callbacks === undefined ? undefined : propertyNamed(callbacks, "authorized");
  const members = options === undefined ? "" : otherMembers(options, style.indent);
  const statement = call.getFirstAncestor((node) => Node.isSourceFile(node.getParent()));
  const name = hasName(file, "auth") ? "middlewareAuth" : "auth";
  const text = instance(members, authorizedText(authorized), style.indent, name);
  draft.insert(file, statement?.getStart() ?? 0, inStyle(`${text}\n\n`, style));
  if (handler === undefined) draft.replace(call, name);
  else {
    draft.edits.push({
      path: file.getFilePath(),
      start: call.getExpression().getStart(),
      end: call.getExpression().getEnd(),
      text: name,
    });
    draft.edits.push({ path: file.getFilePath(), start: handler.getEnd(), end: call.getEnd(), text: ")" });
  }
  draft.note("changed", call, MOVED);
}

function instance(members: string, authorized: string, indent: string, name = "auth"): string {
  const binding = name === "auth" ? "{ auth }" : `{ auth: ${name} }`;
  return [
    `const ${binding} = createAuth({`,
    `${indent}providers: [],`,
    `${indent}session: { strategy: "jwt" },`,
    ...(members === "" ? [] : [members]),
    `${indent}callbacks: {`,
    `${indent}${indent}session: ({ session, token }) => ({ ...session, token }),`,
    `${indent}${indent}authorized: ${authorized},`,
    `${indent}},`,
    "});",
  ].join("\n");
}

/** `pages`, `secret` and other options have the same meaning. */
function otherMembers(options: ObjectLiteralExpression, indent: string): string {
  const kept = options
    .getProperties()
    .filter((property) => !("getName" in property) || property.getName() !== "callbacks");
  return kept.map((property) => `${indent}${property.getText()},`).join("\n");
}

/** The callback's code, called with the arguments that `withAuth` passed. */
function authorizedText(authorized: Node | undefined): string {
  const value = Node.isPropertyAssignment(authorized) ? authorized.getInitializer() : authorized;
  if (!isFunction(value)) return "({ auth }) => auth !== null";
  const names = value.getParameters()[0]?.getNameNode();
  const body = value.getBody();
  const isAsync = value.isAsync() ? "async " : "";
  if (body === undefined) return "({ auth }) => auth !== null";
  const used = Node.isObjectBindingPattern(names) ? names.getElements() : [];
  const declared = used.map((element) => {
    const member = element.getPropertyNameNode()?.getText() ?? element.getName();
    return `const ${element.getNameNode().getText()} = ${member === "token" ? "auth?.token ?? null" : "request"};`;
  });
  const whole = Node.isIdentifier(names)
    ? [`const ${names.getText()} = { token: auth?.token ?? null, req: request };`]
    : [];
  const lead = [...declared, ...whole].join(" ");
  const rest = Node.isBlock(body) ? body.getText().slice(1, -1) : ` return ${body.getText()}; `;
  return `${isAsync}({ request, auth }) => { ${lead}${rest}}`.replace(
    "({ request, auth })",
    used.length + whole.length === 0
      ? "()"
      : parameters(
          used.map((element) => element.getPropertyNameNode()?.getText() ?? element.getName()),
          whole.length > 0,
        ),
  );
}

function parameters(members: readonly string[], both: boolean): string {
  const names = [
    ...(both || members.includes("req") ? ["request"] : []),
    ...(both || members.includes("token") ? ["auth"] : []),
  ];
  return `({ ${names.join(", ")} })`;
}

/** `req.nextauth.token` becomes `req.auth.token`. */
function moveRequests(draft: Draft, file: SourceFile): void {
  for (const node of file.getDescendants()) {
    if (!Node.isPropertyAccessExpression(node) || node.getName() !== "nextauth") continue;
    const parent = node.getParent();
    const request = node.getExpression().getText();
    if (Node.isPropertyAccessExpression(parent) && parent.getName() === "token")
      draft.replace(parent, `${request}.auth?.token`);
    else if (Node.isVariableDeclaration(parent)) draft.replace(node, `{ token: ${request}.auth?.token ?? null }`);
  }
}
