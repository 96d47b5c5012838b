import { type CallExpression, type Identifier, Node, type SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import { callsOf, type FormerImport, findImport, functionAround, topStatement } from "./former-import.ts";
import { objectIn } from "./object-literals.ts";

/** The NextAuth v4 options that a file passes to `NextAuth()`. */
export type FormerOptions =
  | { readonly kind: "local"; readonly name: string; readonly statement: Node }
  | { readonly kind: "inline"; readonly text: string }
  | {
      readonly kind: "imported";
      readonly name: string;
      readonly local: string;
      readonly file: SourceFile;
      readonly specifier: string;
    };

/** A file that handles the routes of NextAuth v4. */
export interface FormerHandler {
  readonly file: SourceFile;
  readonly imported: FormerImport;
  readonly options: FormerOptions;
  /** `const handler = NextAuth(…)`, `export default NextAuth(…)`, `export const GET = NextAuth(…)`. */
  readonly statements: readonly Node[];
  /** `export { handler as GET, handler as POST }`, `export default handler`. */
  readonly exports: readonly Node[];
  readonly route: "app" | "pages" | "none";
}

/** A call that builds its options per request, or takes them from a package. Requires a manual edit. */
export interface DynamicHandler {
  readonly call: CallExpression;
}

/** Finds how a file handles the routes; undefined if it does not, or if it destructures the result of `NextAuth()`. */
export function formerHandler(application: Application, file: SourceFile): FormerHandler | DynamicHandler | undefined {
  const imported = findImport(file, ["next-auth", "next-auth/next"], "default");
  if (imported === undefined) return undefined;
  const calls = callsOf(file, imported.local).filter((call) => !isTakenApart(call));
  const [call] = calls;
  if (call === undefined) return undefined;
  const options = formerOptions(application, file, call);
  if (options === undefined) return { call };
  const statements = calls.map(topStatement);
  return { file, imported, options, statements, exports: exportsOf(file, statements), route: routeOf(file) };
}

function isTakenApart(call: CallExpression): boolean {
  const parent = call.getParent();
  return Node.isVariableDeclaration(parent) && Node.isObjectBindingPattern(parent.getNameNode());
}

function routeOf(file: SourceFile): FormerHandler["route"] {
  const path = file.getFilePath();
  if (/\/pages\/api\/(?:.*\/)?\[\.\.\.\w+\]\.\w+$/.test(path)) return "pages";
  return /\/app\/(?:.*\/)?\[\.\.\.\w+\]\/route\.\w+$/.test(path) ? "app" : "none";
}

function formerOptions(application: Application, file: SourceFile, call: CallExpression): FormerOptions | undefined {
  const given = call.getArguments();
  const value = given.length === 1 ? given[0] : given.length === 3 ? given[2] : undefined;
  // Inside a function, names not declared at the top level may come from the request.
  if (objectIn(value) !== undefined)
    return functionAround(call) === undefined ? { kind: "inline", text: value?.getText() ?? "" } : undefined;
  return Node.isIdentifier(value) ? namedOptions(application, file, value) : undefined;
}

/** Finds the declaration of named options, in the file itself or another one of the application. */
export function namedOptions(
  { resolve }: Application,
  file: SourceFile,
  identifier: Identifier,
): FormerOptions | undefined {
  const local = identifier.getText();
  const declaration = file.getVariableDeclaration(local);
  const statement = declaration?.getVariableStatement();
  if (statement !== undefined) return { kind: "local", name: local, statement };
  for (const imported of file.getImportDeclarations()) {
    const specifier = imported.getModuleSpecifierValue();
    const named = imported
      .getNamedImports()
      .find((item) => (item.getAliasNode()?.getText() ?? item.getName()) === local);
    const isDefault = imported.getDefaultImport()?.getText() === local;
    const target = named === undefined && !isDefault ? undefined : resolve(file, specifier);
    if (target !== undefined)
      return { kind: "imported", name: named?.getName() ?? "default", local, file: target, specifier };
  }
  return undefined;
}

/** The statements that export the handler. */
function exportsOf(file: SourceFile, statements: readonly Node[]): readonly Node[] {
  const names = statements.flatMap((statement) => {
    if (Node.isVariableStatement(statement))
      return statement.getDeclarations().map((declaration) => declaration.getName());
    return Node.isFunctionDeclaration(statement) ? [statement.getName() ?? ""] : [];
  });
  const clauses = file.getExportDeclarations().filter((clause) => {
    const exported = clause.getNamedExports();
    return (
      !clause.hasModuleSpecifier() && exported.length > 0 && exported.every((item) => names.includes(item.getName()))
    );
  });
  const assignments = file
    .getExportAssignments()
    .filter((assignment) => names.includes(assignment.getExpression().getText()));
  const isModuleExports = (statement: Node) =>
    /^module\.exports\s*=/.test(statement.getText()) &&
    names.some((name) => statement.getText().replace(/;$/, "").endsWith(name));
  return [...clauses, ...assignments, ...file.getStatements().filter(isModuleExports)];
}
