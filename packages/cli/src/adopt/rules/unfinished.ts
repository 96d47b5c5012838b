import { type CallExpression, Node, type SourceFile } from "ts-morph";
import { rangeOf } from "../../files/manifest.ts";
import type { Application } from "../application.ts";
import { createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { routeOf } from "../former-handler.ts";
import { callsOf, findImport } from "../former-import.ts";
import { usesOfDeclared } from "../identifiers.ts";
import { outermost, unwrap } from "../object-literals.ts";
import { PROVIDER_PACKAGES } from "../provider-packages.ts";
import { BRIDGE, nameUnbridged } from "./bridge.ts";
import { nameFormerEntries } from "./installation.ts";
import { moveLimits } from "./provider-limits.ts";
import { nameUnreadOfKept } from "./unread-options.ts";

/**
 * What an earlier run left and the application does not work without, found in the application as it is now:
 *
 * 1. An instance in place of a handler: `export const GET = createAuth(options)`, `createAuth(request, response, options)`.
 * 2. An import of a name that the file with the instance no longer exports.
 * 3. As long as the bridge is installed, a configuration without it, or with other sessions than it reads.
 * 4. Options of providers with which the application does not start, or that nothing reads.
 * 5. Entries of the installation that name a former package, which the application no longer has.
 */
export function nameUnfinished(application: Application): Draft {
  const draft = new Draft();
  const calls = createAuthCalls(application);
  for (const call of calls) for (const place of handlersIn(call)) draft.note("left", place, NO_HANDLER, EXPORT);
  nameMissing(draft, application, new Set(calls.map((call) => call.getSourceFile())));
  if (rangeOf(application.manifest, BRIDGE) !== undefined) nameUnbridged(draft, application);
  nameProviderOptions(draft, application);
  nameFormerEntries(draft, application);
  return draft;
}

const NO_HANDLER = "the instance of `createAuth()` is used as a handler";
const EXPORT =
  "export `handlers` of the instance from the route (docs/from-nextauth.md); for options that depend on the request, pass a function `(request) => config` to `createAuth()`";

/** The places where the result of a call is used as the handler that `NextAuth()` returned. */
function handlersIn(call: CallExpression): readonly Node[] {
  if (call.getArguments().length > 1) return [call];
  const outer = outermost(call);
  const awaited = outer.getParent();
  const value = Node.isAwaitExpression(awaited) ? outermost(awaited) : outer;
  const parent = value.getParent();
  if (Node.isCallExpression(parent) && unwrap(parent.getExpression()) === call) return [call];
  const isRoute = routeOf(call.getSourceFile()) !== "none";
  if (!Node.isVariableDeclaration(parent))
    return isRoute && !Node.isPropertyAccessExpression(parent) && !Node.isElementAccessExpression(parent) ? [call] : [];
  const name = parent.getNameNode();
  if (!Node.isIdentifier(name)) return [];
  if (/^(?:GET|POST)$/.test(name.getText())) return [call];
  const uses = usesOfDeclared(name).filter(isHandler);
  const clauses = call.getSourceFile().getExportDeclarations();
  const exported = clauses
    .filter((clause) => !clause.hasModuleSpecifier())
    .flatMap((clause) => clause.getNamedExports())
    .filter((one) => one.getName() === name.getText() && /^(?:GET|POST)$/.test(one.getAliasNode()?.getText() ?? ""));
  return [...uses, ...exported];
}

/** `handler(request, response)` and `export const GET = handler`; in a route, also `export default handler` and an argument. */
function isHandler(use: Node): boolean {
  const outer = outermost(use);
  const parent = outer.getParent();
  if (Node.isCallExpression(parent)) return parent.getExpression() === outer || routeOf(use.getSourceFile()) !== "none";
  if (Node.isVariableDeclaration(parent)) return /^(?:GET|POST)$/.test(parent.getName());
  return Node.isExportAssignment(parent) && routeOf(use.getSourceFile()) !== "none";
}

/** Imports of names that a file with an instance does not export. */
function nameMissing(draft: Draft, { project, resolve }: Application, homes: ReadonlySet<SourceFile>): void {
  for (const file of project.getSourceFiles()) {
    for (const declaration of file.getImportDeclarations()) {
      const home = resolve(file, declaration.getModuleSpecifierValue());
      if (home === undefined || !homes.has(home) || passesAllOn(home)) continue;
      const exported = new Set(home.getExportSymbols().map((one) => one.getName()));
      for (const named of declaration.getNamedImports().filter((one) => !exported.has(one.getName())))
        draft.note(
          "left",
          usesOfDeclared(named.getAliasNode() ?? named.getNameNode())[0] ?? named,
          `\`${named.getName()}\` is not exported by ${home.getFilePath().slice(1)}`,
          "where it was the handler of NextAuth, use `handlers` of the instance",
        );
    }
  }
}

/** `export * from`, and CommonJS, whose exports are not declared. */
function passesAllOn(file: SourceFile): boolean {
  return /\bexport\s*\*|\bmodule\.exports\b|\bexports\.\w/.test(file.getFullText());
}

/** Options of providers that limit who may sign in, or that nothing reads. */
function nameProviderOptions(draft: Draft, application: Application): void {
  const found = new Draft();
  for (const file of application.project.getSourceFiles()) {
    for (const declaration of file.getImportDeclarations()) {
      const module = declaration.getModuleSpecifierValue();
      const names = [...PROVIDER_PACKAGES].flatMap(([name, target]) => (target === module ? [name] : []));
      const isKept = module.startsWith("@auth/core/providers/");
      if (names.length === 0 && !isKept) continue;
      const imported = findImport(file, [module], "default");
      for (const call of imported === undefined ? [] : callsOf(file, imported.local)) {
        for (const name of names) moveLimits(found, application, { name, package: module, named: undefined }, call);
        if (isKept) nameUnreadOfKept(found, application, call);
      }
    }
  }
  draft.notes.push(...found.notes.filter(({ kind }) => kind === "left"));
}
