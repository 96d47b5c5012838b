import { type CallExpression, Node, type SourceFile, SyntaxKind } from "ts-morph";
import type { WorkspacePackage } from "../files/workspace.ts";
import { type Application, mainPackage } from "./application.ts";
import { partsOf } from "./configuration.ts";
import type { Note } from "./draft.ts";
import { symbolOf, usesOfDeclared } from "./identifiers.ts";
import { moduleReferences } from "./module-references.ts";
import { nameOf, outermost, propertyNamed, unwrap } from "./object-literals.ts";
import { valueAt } from "./resolve-value.ts";

/**
 * Names instances that another package makes with the former library: `export const { handlers, auth } = wrapper({ providers })`. Such an
 * application cannot be moved before that package: its provider objects, and classes of errors, are those of the library that it uses.
 *
 * 1. The function is imported from a package that does not use ours.
 * 2. Its result has the members of an instance, or handles the requests of a route and was given a configuration.
 * 3. A function that is given an instance of the former library makes none.
 */
export function foreignInstances(application: Application): readonly Note[] {
  return application.project.getSourceFiles().flatMap((file) => {
    if (!INSTANCE.test(file.getFullText()) && !isRoute(file)) return [];
    const imported = importedNames(file);
    return file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call): Note[] => {
      const callee = unwrap(call.getExpression());
      // Most calls are of other functions, which need not be resolved.
      const root = Node.isPropertyAccessExpression(callee) ? unwrap(callee.getExpression()) : callee;
      if (!Node.isIdentifier(root) || !imported.has(root.getText()) || takenOf(call).length === 0) return [];
      const maker = packageOfName(application, callee);
      const remedy = maker && remedyFor(application, maker);
      if (maker === undefined || remedy === undefined || !isInstance(application, call)) return [];
      return [{ kind: "left", path: file.getFilePath(), at: call.getStart(), what: madeBy(maker), why: remedy }];
    });
  });
}

const madeBy = (maker: string): string => `this instance is made by ${maker}: move ${maker} first. Nothing was changed`;

/** A file without these words makes no instance, unless it is a route. */
const INSTANCE = /\b(?:handlers|handle|auth|signIn|signOut|unstable_update)\b|\.(?:use|all)\(/;

/** The names that a file imports or requires. */
function importedNames(file: SourceFile): ReadonlySet<string> {
  return new Set(
    moduleReferences(file).flatMap(({ literal, kind }) => {
      const parent = literal.getParent();
      if (Node.isImportDeclaration(parent)) {
        const named = parent.getNamedImports().map((one) => one.getAliasNode() ?? one.getNameNode());
        const all = [parent.getDefaultImport(), parent.getNamespaceImport(), ...named];
        return all.flatMap((one) => one?.getText() ?? []);
      }
      const target =
        kind === "call" ? literal.getFirstAncestorByKind(SyntaxKind.VariableDeclaration)?.getNameNode() : undefined;
      return Node.isObjectBindingPattern(target)
        ? target.getElements().map((one) => one.getName())
        : [target?.getText() ?? ""];
    }),
  );
}

/** Modules of the former library, apart from its providers. */
const FORMER = /^(?:next-auth|@hono\/auth-js|@auth\/(?:core|express|sveltekit))(?!\/providers)(?:\/|$)/;

/** Packages that are part of none of both. */
const OTHERS = /^(?!@cardea\/|next-auth(?:\/|$)|@auth\/|@next-auth\/|@hono\/auth-js)(?:@[\w.-]+\/)?\w[\w.-]*/;

/** What has to be done first; undefined for a package that uses Cardea. */
function remedyFor(application: Application, maker: string): string | undefined {
  const { manifest, workspace } = application;
  const owns = workspace.packages.filter(({ name }) => name === maker);
  // The root of a workspace may have the name of its package.
  const own = owns.find(({ folder }) => !/^[./]*$/.test(folder)) ?? owns[0];
  if (own !== undefined) return usesCardea(own) ? undefined : `run the command in ${own.folder} first, then here`;
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
  const all = { ...peerDependencies, ...optionalDependencies, ...devDependencies, ...dependencies };
  return Object.hasOwn(all, mainPackage(application))
    ? undefined
    : "install a version of it that uses Cardea, or call `NextAuth()` in its place; then run the command again";
}

function usesCardea({ manifest }: WorkspacePackage): boolean {
  const { dependencies, devDependencies, peerDependencies } = manifest;
  return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }).some((name) =>
    /^@cardea\/(?!cli$)/.test(name),
  );
}

/** A longer chain is a cycle. */
const MAX_FILES = 8;

/** The package that a function is imported from, also through files of the application that export it. */
function packageOfName(application: Application, node: Node): string | undefined {
  const origin = originOf(node);
  return origin && packageOf(application, node.getSourceFile(), origin);
}

interface Origin {
  readonly module: string;
  readonly name: string;
}

function packageOf({ resolve }: Application, from: SourceFile, origin: Origin): string | undefined {
  let [file, { module, name }] = [from, origin];
  for (let depth = 0; depth < MAX_FILES; depth++) {
    const target = resolve(file, module);
    if (target === undefined) return OTHERS.exec(module)?.[0];
    const clauses = target.getExportDeclarations();
    const named = clauses
      .flatMap((clause) => clause.getNamedExports().map((one) => ({ clause, one })))
      .find(({ one }) => (one.getAliasNode() ?? one.getNameNode()).getText() === name);
    const specifier = named?.clause.getModuleSpecifierValue();
    const imported = named && originOf(importOf(target, named.one.getName()));
    const next = specifier === undefined ? imported : { module: specifier, name: named?.one.getName() ?? name };
    if (next === undefined) return undefined;
    [file, { module, name }] = [target, next];
  }
  return undefined;
}

/** The name of an import declaration of a file. */
function importOf(file: SourceFile, local: string): Node | undefined {
  return file
    .getImportDeclarations()
    .flatMap((one) => [
      one.getDefaultImport(),
      ...one.getNamedImports().map((item) => item.getAliasNode() ?? item.getNameNode()),
    ])
    .find((one) => one?.getText() === local);
}

/** The module that a name is imported or required from, and its name there. */
function originOf(node: Node | undefined): Origin | undefined {
  if (Node.isPropertyAccessExpression(node)) {
    const space = originOf(unwrap(node.getExpression()));
    return space && { module: space.module, name: node.getName() };
  }
  const [declared] = (Node.isIdentifier(node) && symbolOf(node)?.getDeclarations()) || [];
  const statement = declared?.getFirstAncestorByKind(SyntaxKind.ImportDeclaration);
  if (statement !== undefined)
    return {
      module: statement.getModuleSpecifierValue(),
      name: Node.isImportSpecifier(declared) ? declared.getName() : "default",
    };
  const holder = declared?.getFirstAncestorByKind(SyntaxKind.VariableDeclaration) ?? declared;
  const value = Node.isVariableDeclaration(holder) ? withoutAwait(holder.getInitializer()) : undefined;
  const call = Node.isPropertyAccessExpression(value) ? withoutAwait(value.getExpression()) : value;
  const isLoaded = Node.isCallExpression(call) && /^(?:require|import)$/.test(call.getExpression().getText());
  const [specifier] = isLoaded ? call.getArguments() : [];
  const name = Node.isBindingElement(declared)
    ? (declared.getPropertyNameNode() ?? declared.getNameNode()).getText()
    : "default";
  return Node.isStringLiteral(specifier) ? { module: specifier.getLiteralValue(), name } : undefined;
}

function withoutAwait(node: Node | undefined): Node | undefined {
  const inner = node && unwrap(node);
  return Node.isAwaitExpression(inner) ? unwrap(inner.getExpression()) : inner;
}

function isInstance(application: Application, call: CallExpression): boolean {
  const taken = takenOf(call);
  const isWhole = taken.includes("handlers") && taken.some((name) => /^(?:auth|signIn|signOut)$/.test(name));
  const isPart = taken.length > 0 && call.getArguments().some((given) => isConfiguration(application, given));
  return (isWhole || isPart) && !call.getArguments().some((given) => isFormer(application, given));
}

const MEMBERS = ["handlers", "handle", "auth", "signIn", "signOut", "unstable_update"];

/** The members of an instance that are taken of a result, and `handler` where it handles requests. */
function takenOf(result: Node): readonly string[] {
  const outer = outermost(result);
  const parent = outer.getParent();
  if (Node.isAwaitExpression(parent)) return takenOf(parent);
  if (Node.isPropertyAccessExpression(parent)) return MEMBERS.filter((name) => name === parent.getName());
  if (Node.isExportAssignment(parent) || Node.isReturnStatement(parent) || Node.isArrowFunction(parent))
    return isRoute(parent) ? ["handler"] : [];
  if (Node.isCallExpression(parent)) return /\.(?:use|all)$/.test(parent.getExpression().getText()) ? ["handler"] : [];
  const target = Node.isVariableDeclaration(parent) ? parent.getNameNode() : undefined;
  if (Node.isObjectBindingPattern(target)) {
    const names = target.getElements().map((one) => (one.getPropertyNameNode() ?? one.getNameNode()).getText());
    return MEMBERS.filter((name) => names.includes(name));
  }
  if (!Node.isIdentifier(target)) return [];
  const text = target.getSourceFile().getFullText();
  if (isRoute(target) && /\bexport\b/.test(text)) return ["handler"];
  // Most results have no such member, so that their uses need not be found.
  const name = target.getText().replaceAll("$", "\\$");
  const members = MEMBERS.join("|");
  const isRead = new RegExp(
    `(?<!\\w)${name}[\\s!?]*\\.\\s*(?:${members})\\b|\\b(?:${members})\\b[^{}]*\\}\\s*=\\s*(?:await\\s+)?${name}\\b`,
  );
  return isRead.test(text) ? usesOfDeclared(target).flatMap(takenOf) : [];
}

/** `[...nextauth]`, in both routers. */
function isRoute(node: Node): boolean {
  return /\[\.\.\.[\w-]+\]/.test(node.getSourceFile().getFilePath());
}

/** The options of Auth.js beside its providers. */
const OPTIONS = /^(?:adapter|callbacks|cookies|events|jwt|pages|secret|session|trustHost)$/;

function isConfiguration(application: Application, given: Node): boolean {
  const { literals } = partsOf(application, given);
  const lists = literals.flatMap((literal) => propertyNamed(literal, "providers") ?? []);
  const names = literals
    .flatMap((literal) => literal.getProperties())
    .flatMap((one) => (Node.isSpreadAssignment(one) ? [] : (nameOf(one) ?? [])));
  const isProvider = (node: Node) => /\/providers\//.test(originOf(node)?.module ?? "");
  const hasProvider = lists.some((list) => list.getDescendantsOfKind(SyntaxKind.Identifier).some(isProvider));
  return lists.length > 0 && (hasProvider || names.some((name) => OPTIONS.test(name)));
}

/** Whether an argument is, or calls, the function of the former library that makes instances. */
function isFormer(application: Application, given: Node): boolean {
  const names = [given, valueAt(application, given)].flatMap((node) =>
    Node.isIdentifier(node) ? [node] : (node?.getDescendantsOfKind(SyntaxKind.Identifier) ?? []),
  );
  return names.some((name) => FORMER.test(originOf(name)?.module ?? ""));
}
