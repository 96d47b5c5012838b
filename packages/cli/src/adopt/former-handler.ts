import { type CallExpression, type Identifier, Node, type SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import { isChange } from "./configuration.ts";
import { callsOf, type FormerImport, findImport, functionAround } from "./former-import.ts";
import { type HandlerShape, handlerShape, type Obstacle } from "./handler-shape.ts";
import { usesOf } from "./identifiers.ts";
import { objectIn, unwrap } from "./object-literals.ts";
import { declarationOf } from "./re-exports.ts";

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
export interface FormerHandler extends HandlerShape {
  readonly file: SourceFile;
  readonly imported: FormerImport;
  readonly options: FormerOptions;
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
  const shape = handlerShape(file, calls);
  const route = routeOf(file);
  const handler = { file, imported, options, route, ...shape };
  return shape.obstacle === undefined ? { ...handler, obstacle: restObstacle(handler) } : handler;
}

function isTakenApart(call: CallExpression): boolean {
  const parent = call.getParent();
  return Node.isVariableDeclaration(parent) && Node.isObjectBindingPattern(parent.getNameNode());
}

/** Whether a file is a route of the library, and of which router. */
export function routeOf(file: SourceFile): FormerHandler["route"] {
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
  const named = value && unwrap(value);
  if (!Node.isIdentifier(named)) return undefined;
  return namedOptions(application, file, named) ?? packageOptions(application, file, named);
}

/** Options that a package exports, such as another one of the workspace. */
function packageOptions(application: Application, file: SourceFile, value: Identifier): FormerOptions | undefined {
  const text = value.getText();
  const isNamed = file.getImportDeclarations().some((imported) => {
    const specifier = imported.getModuleSpecifierValue();
    const names = imported.getNamedImports().map((item) => (item.getAliasNode() ?? item.getNameNode()).getText());
    const isPackage = /^[\w@]/.test(specifier) && application.resolve(file, specifier) === undefined;
    return isPackage && (names.includes(text) || imported.getDefaultImport()?.getText() === text);
  });
  return isNamed ? { kind: "inline", text } : undefined;
}

/** Finds the declaration of named options, in the file itself or another one of the application. */
export function namedOptions(
  application: Application,
  file: SourceFile,
  identifier: Identifier,
): FormerOptions | undefined {
  // A parameter or a local variable may hide a constant of that name.
  if (identifier.getSymbol()?.getDeclarations().some(functionAround)) return undefined;
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
    const target = named === undefined && !isDefault ? undefined : application.resolve(file, specifier);
    if (target !== undefined)
      return importedOptions(application, file, target, specifier, named?.getName() ?? "default", local);
  }
  return undefined;
}

/** The options in the file that declares them, where the imported file only re-exports them. */
function importedOptions(
  application: Application,
  from: SourceFile,
  target: SourceFile,
  specifier: string,
  name: string,
  local: string,
): FormerOptions {
  const { file, name: own } = declarationOf(application, target, name) ?? { file: target, name };
  const path = file === target ? specifier : application.specifier(from.getFilePath(), file.getFilePath(), specifier);
  return { kind: "imported", name: own, local, file, specifier: path };
}

/** What Next.js reads from a route besides the handlers. */
export const SEGMENT_OPTION =
  /^export const (?:dynamic|runtime|revalidate|maxDuration|fetchCache|preferredRegion|dynamicParams|config)\b/;

/**
 * A statement for which there is no place after the move:
 *
 * 1. A route of the Pages Router with imported options is replaced by another file, so that nothing else remains.
 * 2. The content of an app route with the options moves to another file, where further handlers would not be found.
 * 3. The instance is created where the options are declared, before a route could change them.
 */
function restObstacle({ file, options, route, statements, exports }: FormerHandler): Obstacle | undefined {
  const changed = options.kind === "imported" ? usesOf(file, options.local).find(isChange) : undefined;
  if (changed !== undefined) return { node: changed, why: "the options are changed here" };
  const gone: readonly Node[] = [...statements, ...exports.flatMap(({ node, text }) => (text === "" ? [node] : []))];
  const rest = file.getStatements().filter((statement) => {
    const isType = Node.isInterfaceDeclaration(statement) || Node.isTypeAliasDeclaration(statement);
    const isImport = Node.isImportDeclaration(statement) && statement.getImportClause() !== undefined;
    const isRequire = /^(?:const|var|let)\b[^;\n]*=\s*require\([^)]*\)(?:\.\w+)?;?$/.test(statement.getText());
    return !gone.includes(statement) && !isType && !isImport && !isRequire && !SEGMENT_OPTION.test(statement.getText());
  });
  const isReplaced = route === "pages" && options.kind === "imported";
  const isHoisted = route === "app" && options.kind !== "imported";
  const node = isReplaced ? rest[0] : isHoisted ? rest.find(isOtherMethod) : undefined;
  return node && { node, why: "the file has more than the handler" };
}

function isOtherMethod(statement: Node): boolean {
  return /^export (?:async )?(?:function|const) (?:HEAD|PUT|PATCH|DELETE|OPTIONS|generateStaticParams)\b/.test(
    statement.getText(),
  );
}
