import { type CallExpression, type ExportSpecifier, type Identifier, Node, type SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import { usesOfDeclared } from "./identifiers.ts";
import { moduleReferences } from "./module-references.ts";
import { outermost, unwrap } from "./object-literals.ts";

/** How an application uses `auth` of an instance: reads sessions, wraps a handler, or anything else, such as middleware itself. */
export type AuthUse = "session" | "handler" | "other";

/** Every way in which `auth` of an instance is used. What is not understood is `other`. */
export function authUses(application: Application, call: CallExpression): ReadonlySet<AuthUse> {
  const parent = outermost(call).getParent();
  if (Node.isPropertyAccessExpression(parent) && parent.getName() === "auth") return new Set([useOf(parent)]);
  const target = Node.isVariableDeclaration(parent) ? parent.getNameNode() : undefined;
  if (!Node.isObjectBindingPattern(target)) return new Set(["other"]);
  if (target.getElements().some((one) => one.getDotDotDotToken() !== undefined)) return new Set(["other"]);
  const element = target
    .getElements()
    .find((one) => (one.getPropertyNameNode() ?? one.getNameNode()).getText() === "auth");
  return element === undefined ? new Set() : new Set(usesIn(application, element.getNameNode()));
}

function usesIn(application: Application, name: Node): readonly AuthUse[] {
  const file = name.getSourceFile();
  const local = name.getText();
  const exported = file
    .getExportDeclarations()
    .filter((clause) => !clause.hasModuleSpecifier())
    .flatMap((clause) => clause.getNamedExports().filter((one) => one.getName() === local));
  const names = [local, ...exported.map((one) => (one.getAliasNode() ?? one.getNameNode()).getText())];
  const own = exported.flatMap((one): AuthUse[] => (isPlain(one) ? [] : ["other"]));
  const elsewhere = application.project.getSourceFiles().flatMap((other) => importsOf(application, other, file, names));
  return [...usesOfDeclared(name).map(useOf), ...own, ...elsewhere];
}

function isPlain(one: ExportSpecifier): boolean {
  return one.getAliasNode() === undefined || /^auth$/.test(one.getAliasNode()?.getText() ?? "");
}

/** The uses in a file that refers to the file with the instance. */
function importsOf(
  application: Application,
  file: SourceFile,
  home: SourceFile,
  names: readonly string[],
): readonly AuthUse[] {
  const references = moduleReferences(file).filter(({ specifier }) => application.resolve(file, specifier) === home);
  return references.flatMap(({ literal, kind }): readonly AuthUse[] => {
    const declaration = literal.getParent();
    if (kind === "mock" || kind === "type" || kind === "augmentation") return [];
    if (!Node.isImportDeclaration(declaration) || declaration.getNamespaceImport() !== undefined) return ["other"];
    if (declaration.getDefaultImport() !== undefined && names.includes("default")) return ["other"];
    const named = declaration.getNamedImports().filter((one) => names.includes(one.getName()));
    return named.flatMap((one) => {
      const name = one.getAliasNode() ?? one.getNameNode();
      const isPassedOn = file
        .getExportDeclarations()
        .some(
          (clause) =>
            !clause.hasModuleSpecifier() && clause.getNamedExports().some((item) => item.getName() === name.getText()),
        );
      return [...usesOfDeclared(name).map(useOf), ...(isPassedOn ? (["other"] as const) : [])];
    });
  });
}

function useOf(use: Identifier | Node): AuthUse {
  const outer = outermost(use);
  const call = outer.getParent();
  if (!Node.isCallExpression(call) || call.getExpression() !== outer) return "other";
  const given = call.getArguments();
  if (given.length !== 1)
    return given.some(Node.isSpreadElement) || given.length > 2 ? "other" : given.length === 0 ? "session" : "other";
  const [first] = given;
  const handler = first && unwrap(first);
  return Node.isArrowFunction(handler) || Node.isFunctionExpression(handler)
    ? "handler"
    : isFunctionName(handler)
      ? "handler"
      : "other";
}

/** A name of a function that the file declares. */
function isFunctionName(node: Node | undefined): boolean {
  const [declared] = Node.isIdentifier(node) ? (node.getSymbol()?.getDeclarations() ?? []) : [];
  if (Node.isFunctionDeclaration(declared)) return true;
  const value = Node.isVariableDeclaration(declared) ? declared.getInitializer() : undefined;
  const inner = value && unwrap(value);
  return Node.isArrowFunction(inner) || Node.isFunctionExpression(inner);
}
