import { Node, type SourceFile, type VariableDeclaration } from "ts-morph";
import type { Application } from "../application.ts";
import { type AuthInstance, type FreshBinding, freshBinding, instanceOf } from "../auth-instance.ts";
import { afterChanges } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { type FormerHandler, type FormerOptions, formerHandler } from "../former-handler.ts";
import { topStatement } from "../former-import.ts";
import type { Obstacle } from "../handler-shape.ts";
import { hoistOptions } from "../hoist-options.ts";
import { usesOf } from "../identifiers.ts";
import { followHandler } from "../passed-handlers.ts";
import { dropExports, dropNextAuth, moveToAppRouter } from "../route-files.ts";
import { sessionCalls } from "../session-calls.ts";
import { inStyle, styleOf } from "../source-style.ts";
import { dropNames } from "./imports.ts";

/**
 * NextAuth v4 handles requests with `NextAuth(authOptions)` in a route. Now the file with the options exports the
 * instance, and the route exports its handlers:
 *
 * 1. Options in a separate file: `createAuth(authOptions)` is added there.
 * 2. Options in the route: its content moves to `auth.ts`, and imports are updated. A Next.js route may only export
 *    handlers.
 * 3. A route of the Pages Router becomes a route handler at the same path; Next.js supports both routers in one
 *    application.
 * 4. Options that are built per request, and routes with code of their own, are left and reported.
 * 5. Each constant that `getServerSession()` was given is read by an instance of its own, beside it.
 */
export function moveAuthOptions(application: Application): Draft {
  const draft = new Draft();
  if (application.former !== "nextauth-v4") return draft;
  const homes: Homes = new Map();
  for (const file of application.project.getSourceFiles()) {
    const handler = formerHandler(application, file);
    if (handler === undefined) continue;
    if ("call" in handler) {
      draft.note(
        "left",
        handler.call,
        "options are built per request",
        "pass a function `(request) => config` to `createAuth()`, and export its `handlers` from the route (docs/from-nextauth.md)",
      );
    } else if (handler.obstacle !== undefined) {
      leaveRoute(draft, application, handler, handler.obstacle, homes);
    } else if (handler.options.kind === "imported") {
      answerWith(draft, application, handler, handler.options, homes);
    } else {
      const binding =
        handler.route === "none"
          ? answerInPlace(draft, application, handler, handler.options)
          : hoistOptions(draft, application, handler, handler.options);
      const own = handler.options.kind === "local" ? file.getVariableDeclaration(handler.options.name) : undefined;
      if (own !== undefined) homes.set(own, binding);
    }
  }
  for (const { options } of sessionCalls(application)) {
    // A route of the App Router may export nothing else.
    if (options !== undefined && !/\/route\.\w+$/.test(options.getSourceFile().getFilePath()))
      addInstance(draft, application, options, homes);
  }
  return draft;
}

/** The instances of constants with options. */
type Homes = Map<VariableDeclaration, FreshBinding>;

/** The constant with the options, which another file declares. */
function constantIn({ file, name }: FormerOptions & { kind: "imported" }): VariableDeclaration | undefined {
  const value = name === "default" ? file.getExportAssignments()[0]?.getExpression() : undefined;
  return file.getVariableDeclaration(Node.isIdentifier(value) ? value.getText() : name);
}

/** Reports a route with code that the move would lose. */
function leaveRoute(
  draft: Draft,
  application: Application,
  { options }: FormerHandler,
  { node, why }: Obstacle,
  homes: Homes,
): void {
  const constant = options.kind === "imported" ? constantIn(options) : undefined;
  if (constant !== undefined) addInstance(draft, application, constant, homes);
  draft.note(
    "left",
    node,
    `the handler of NextAuth was not moved: ${why}`,
    "export `handlers` of the instance that `createAuth(options)` returns from the route, and keep this code (docs/from-nextauth.md)",
  );
}

/** Makes the route export the handlers from the file with the options. */
function answerWith(
  draft: Draft,
  application: Application,
  handler: FormerHandler,
  options: FormerOptions & { kind: "imported" },
  homes: Homes,
): void {
  const constant = constantIn(options);
  const name = constant && addInstance(draft, application, constant, homes);
  if (name === undefined) {
    draft.note(
      "left",
      options.file.getFilePath(),
      `the options \`${options.name}\` were not found`,
      "export the result of `createAuth(options)` from this file manually",
    );
    return;
  }
  const { file, imported, statements, exports, route } = handler;
  if (route === "pages") {
    moveToAppRouter(draft, application, file, options.file, name);
    return;
  }
  const passed = route === "none" ? statements.flatMap(exportedName) : [];
  const style = styleOf(file.getFullText());
  const [first, ...others] = statements;
  const line = name === "handlers" ? "handlers" : name;
  const own =
    passed.length > 0 ? `export { ${name} } from "${options.specifier}";` : `export const { GET, POST } = ${line};`;
  if (first !== undefined) draft.replace(first, inStyle(own, style));
  for (const node of others) draft.remove(node);
  dropExports(draft, exports);
  dropNextAuth(draft, imported.declaration, imported.statement);
  const parts = [...statements, ...exports.map(({ node }) => node)];
  const gone = usesOf(file, options.local).filter((use) => parts.includes(topStatement(use)));
  dropOptions(draft, file, options.local, gone.length);
  if (passed.length === 0) draft.import(file, options.specifier, name);
  for (const one of passed) followHandler(draft, application, file, one, name);
  if (route === "none" && passed.length === 0) noteOtherExports(draft, parts);
  draft.note("changed", first ?? file, "the route now exports the handlers of the instance");
}

/** The import of the options, unless something else in the file uses them. */
export function dropOptions(draft: Draft, file: SourceFile, local: string, gone = 1): void {
  const clauses = file.getExportDeclarations().filter((clause) => !clause.hasModuleSpecifier());
  const isExported = clauses.some((clause) => clause.getNamedExports().some((one) => one.getName() === local));
  if (isExported || usesOf(file, local).length > gone) return;
  const declaration = file
    .getImportDeclarations()
    .find(
      (item) =>
        item.getNamedImports().some((named) => (named.getAliasNode() ?? named.getNameNode()).getText() === local) ||
        item.getDefaultImport()?.getText() === local,
    );
  const named = declaration
    ?.getNamedImports()
    .find((item) => (item.getAliasNode() ?? item.getNameNode()).getText() === local);
  if (declaration !== undefined && named !== undefined) dropNames(draft, declaration, [named.getName()]);
  else if (declaration !== undefined && declaration.getNamedImports().length === 0) draft.remove(declaration);
}

/** Adds `export const { handlers, auth } = createAuth(options)` below the options and what changes them, once. @returns the name of the handlers. */
function addInstance(
  draft: Draft,
  application: Application,
  constant: VariableDeclaration,
  homes: Homes,
): string | undefined {
  const known = homes.get(constant)?.handlers;
  const statement = constant.getVariableStatement();
  if (known !== undefined || statement === undefined) return known;
  const home = constant.getSourceFile();
  const existing = instanceOf(application, constant);
  const others = [...homes].filter(([other]) => other.getSourceFile() === home).map(([, binding]) => binding);
  const binding = freshBinding(home, others);
  if (existing?.file === home) {
    const handlers = extendInstance(draft, existing);
    homes.set(constant, { ...binding, handlers });
    return handlers;
  }
  const style = styleOf(home.getFullText());
  const line = `export const ${binding.text} = createAuth(${constant.getName()});`;
  draft.insert(home, afterChanges(constant), inStyle(`\n\n${line}`, style));
  draft.import(home, "@cardea/next", "createAuth");
  draft.added.add("@cardea/next");
  draft.note("changed", statement, "`createAuth()` in this file creates the instance with `auth()` and the handlers");
  homes.set(constant, binding);
  return binding.handlers;
}

function extendInstance(draft: Draft, { declaration, members }: AuthInstance): string {
  const handlers = members.get("handlers");
  if (handlers !== undefined) return handlers;
  const binding = declaration.getNameNode();
  if (Node.isObjectBindingPattern(binding))
    draft.insert(declaration.getSourceFile(), binding.getStart() + 1, " handlers,");
  return "handlers";
}

/** A separate file that is not a route: `export const GET = NextAuth(options)`. */
function answerInPlace(
  draft: Draft,
  application: Application,
  { file, imported, statements, exports }: FormerHandler,
  options: FormerOptions,
): FreshBinding {
  const style = styleOf(file.getFullText());
  const binding = freshBinding(file);
  const { handlers, text } = binding;
  const given = options.kind === "inline" ? options.text : options.name;
  const instance = inStyle(`export const ${text} = createAuth(${given});`, style);
  const passed = [...new Set(statements.flatMap(exportedName))];
  statements.forEach((statement, index) => {
    const method = Node.isVariableStatement(statement) ? statement.getDeclarations()[0]?.getName() : undefined;
    const isAlone = exports.length === 0 && (method === "GET" || method === "POST");
    const line = isAlone
      ? inStyle(`export const ${method} = ${handlers}.${method};`, style)
      : inStyle(`export const { GET, POST } = ${handlers};`, style);
    const isPassed = exportedName(statement).length > 0;
    const rest = isPassed ? "" : style.eol + line;
    draft.replace(statement, index === 0 ? instance + rest : isAlone ? line : "");
  });
  for (const name of passed) followHandler(draft, application, file, name, handlers);
  noteOtherExports(
    draft,
    exports.map(({ node }) => node),
  );
  dropExports(draft, exports);
  dropNextAuth(draft, imported.declaration, imported.statement);
  draft.import(file, "@cardea/next", "createAuth");
  draft.added.add("@cardea/next");
  draft.note("changed", statements[0] ?? file, "`createAuth()` creates the instance with `auth()` and the handlers");
  return binding;
}

/** The name of `export const handler = NextAuth(options)`, which other files import. */
function exportedName(statement: Node): readonly string[] {
  const isExported = Node.isVariableStatement(statement) && statement.isExported();
  const name = isExported ? statement.getDeclarations()[0]?.getName() : undefined;
  return name === undefined || /^(?:GET|POST)$/.test(name) ? [] : [name];
}

/** Names other than GET and POST, which other files import. */
function noteOtherExports(draft: Draft, parts: readonly Node[]): void {
  const other = parts.find((part) => {
    if (Node.isVariableStatement(part) || Node.isFunctionDeclaration(part)) {
      const name = Node.isFunctionDeclaration(part) ? part.getName() : part.getDeclarations()[0]?.getName();
      return part.isExported() && !/^(?:GET|POST)$/.test(name ?? "");
    }
    return !Node.isExportDeclaration(part) || part.getNamedExports().some((one) => /\bdefault$/.test(one.getText()));
  });
  if (other !== undefined)
    draft.note(
      "left",
      other,
      "this file exported something other than GET and POST",
      "import `handlers` from this file in place of its default export",
    );
}
