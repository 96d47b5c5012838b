import { type CallExpression, Node, type ObjectLiteralExpression, type SourceFile, SyntaxKind } from "ts-morph";
import type { Application } from "./application.ts";
import { functionAround } from "./former-import.ts";
import { makersIn } from "./instance-makers.ts";
import { objectIn, unwrap } from "./object-literals.ts";
import { declarationOf } from "./re-exports.ts";

/** The parts of an application needed to read configurations. */
export type ApplicationSources = Pick<Application, "project" | "resolve">;

/** The calls of `createAuth` in the whole application. */
export function createAuthCalls(application: ApplicationSources): readonly CallExpression[] {
  return application.project.getSourceFiles().flatMap((file) => {
    const names = makersIn(application, file);
    if (names.size === 0) return [];
    return file
      .getDescendantsOfKind(SyntaxKind.CallExpression)
      .filter((call) => names.has(unwrap(call.getExpression()).getText()));
  });
}

/**
 * The object literals that make up the configuration of a call, starting with the one to which options are added:
 *
 * 1. The literal that is passed, or that a constant or function evaluates to, in this file or another.
 * 2. Literals spread into it: `{ ...authConfig }`.
 *
 * Empty for a configuration that is built in another way.
 */
export function configurationOf(
  application: ApplicationSources,
  call: CallExpression,
): readonly ObjectLiteralExpression[] {
  const [given] = call.getArguments();
  return given === undefined ? [] : literalsOf(application, given, 0);
}

function literalsOf(application: ApplicationSources, given: Node, depth: number): readonly ObjectLiteralExpression[] {
  if (depth > 4) return [];
  const node = unwrap(given);
  const object = objectIn(node);
  if (object !== undefined) {
    const spreads = object.getProperties().filter(Node.isSpreadAssignment);
    return [object, ...spreads.flatMap((spread) => literalsOf(application, spread.getExpression(), depth + 1))];
  }
  if (Node.isIdentifier(node)) {
    const value = valueNamedBy(application, node.getSourceFile(), node.getText());
    return value === undefined ? [] : literalsOf(application, value, depth + 1);
  }
  if (Node.isArrowFunction(node) || Node.isFunctionExpression(node) || Node.isFunctionDeclaration(node))
    return returnsOf(application, node, depth);
  return [];
}

function returnsOf(application: ApplicationSources, node: Node, depth: number): readonly ObjectLiteralExpression[] {
  const body = Node.isArrowFunction(node) ? node.getBody() : undefined;
  if (body !== undefined && !Node.isBlock(body)) return literalsOf(application, body, depth + 1);
  const returns = node
    .getDescendantsOfKind(SyntaxKind.ReturnStatement)
    .filter((statement) => functionAround(statement) === node);
  return returns.flatMap((statement) => {
    const value = statement.getExpression();
    return value === undefined ? [] : literalsOf(application, value, depth + 1);
  });
}

/** The value of a name: a constant or function of the file, or of the file that it is imported from. */
export function valueNamedBy(application: ApplicationSources, file: SourceFile, name: string): Node | undefined {
  const declaration = file.getVariableDeclaration(name);
  if (declaration !== undefined) return declaration.getInitializer();
  const own = file.getFunction(name);
  if (own !== undefined) return own;
  for (const imported of file.getImportDeclarations()) {
    const isDefault = imported.getDefaultImport()?.getText() === name;
    const named = imported
      .getNamedImports()
      .find((item) => (item.getAliasNode() ?? item.getNameNode()).getText() === name);
    if (!isDefault && named === undefined) continue;
    const target = application.resolve(file, imported.getModuleSpecifierValue());
    if (target === undefined) return undefined;
    return exportOf(application, target, named?.getName() ?? "default");
  }
  return undefined;
}

function exportOf(application: ApplicationSources, file: SourceFile, name: string): Node | undefined {
  const assigned = name === "default" ? defaultOf(application, file) : undefined;
  if (assigned !== undefined) return assigned;
  const declared = declarationOf(application, file, name);
  return declared && valueNamedBy(application, declared.file, declared.name);
}

function defaultOf(application: ApplicationSources, file: SourceFile): Node | undefined {
  const value = file
    .getExportAssignments()
    .find((assignment) => !assignment.isExportEquals())
    ?.getExpression();
  return Node.isIdentifier(value) ? valueNamedBy(application, file, value.getText()) : value;
}
