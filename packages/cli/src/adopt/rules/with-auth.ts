import { type CallExpression, Node, type ObjectLiteralExpression, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { hasName } from "../identifiers.ts";
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
export function moveWithAuth({ project }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles()) {
    moveReExport(draft, file);
    const imported = findImport(file, MODULES, "withAuth") ?? findImport(file, MODULES, "default");
    if (imported?.declaration === undefined) continue;
    for (const call of callsOf(file, imported.local)) moveCall(draft, call);
    moveRequests(draft, file);
    dropNames(draft, imported.declaration, ["withAuth"]);
    if (imported.declaration.getDefaultImport() !== undefined) draft.remove(imported.declaration);
    draft.import(file, "@cardea/next", "createAuth");
    draft.added.add("@cardea/next");
  }
  return draft;
}

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
    draft.note("changed", declaration, "`withAuth` → `auth` of an instance for middleware");
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
  draft.note("changed", call, "`withAuth` → `auth` of an instance for middleware");
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
  if (value === undefined) return "({ auth }) => auth !== null";
  const names =
    Node.isArrowFunction(value) || Node.isMethodDeclaration(value) || Node.isFunctionExpression(value)
      ? value.getParameters()[0]?.getNameNode()
      : undefined;
  const body =
    Node.isArrowFunction(value) || Node.isMethodDeclaration(value) || Node.isFunctionExpression(value)
      ? value.getBody()
      : undefined;
  const isAsync = (Node.isArrowFunction(value) || Node.isMethodDeclaration(value)) && value.isAsync() ? "async " : "";
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
