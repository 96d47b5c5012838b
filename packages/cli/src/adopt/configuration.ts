import {
  type CallExpression,
  type Identifier,
  Node,
  type ObjectLiteralExpression,
  type SourceFile,
  SyntaxKind,
  type VariableDeclaration,
} from "ts-morph";
import type { Application } from "./application.ts";
import { functionAround, topStatement } from "./former-import.ts";
import { symbolOf, usesOf, usesOfDeclared } from "./identifiers.ts";
import { handlerUses, type Makers, makersIn } from "./instance-makers.ts";
import { objectIn, outermost, propertyNamed, unwrap } from "./object-literals.ts";
import { declarationOf } from "./re-exports.ts";

/** The parts of an application needed to read configurations. */
export type ApplicationSources = Pick<Application, "project" | "resolve">;

/** The calls that get a configuration in the whole application: of `createAuth`, and of `Auth` of the core. */
export function createAuthCalls(application: ApplicationSources): readonly CallExpression[] {
  const instances = makersIn(application).flatMap(({ file, names }) =>
    file
      .getDescendantsOfKind(SyntaxKind.CallExpression)
      .filter((call) => names.includes(unwrap(call.getExpression()).getText())),
  );
  return [...instances, ...handlerCalls(application)];
}

/** The calls of `Auth(request, config)`, which handle one request. */
export function handlerCalls(application: ApplicationSources): readonly CallExpression[] {
  return handlerUses(application).flatMap((use) => callBy(use) ?? []);
}

/** The call of what an expression stands for. */
export function callBy(use: Node): CallExpression | undefined {
  const outer = outermost(use);
  const call = outer.getParent();
  return Node.isCallExpression(call) && call.getExpression() === outer ? call : undefined;
}

/** The configuration that such a call gets: `createAuth(config)`, `Auth(request, config)`. */
export function configurationGiven(application: ApplicationSources, call: CallExpression): Node | undefined {
  return call.getArguments()[handlerCalls(application).includes(call) ? 1 : 0];
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
  const given = configurationGiven(application, call);
  return given === undefined ? [] : partsOf(application, given).literals;
}

/** Whether the calls have one configuration. One that is built from arguments, or that names a cookie itself, is another. */
export function isOneConfiguration(application: ApplicationSources, calls: readonly CallExpression[]): boolean {
  const keys = calls.map((call): Node | undefined => {
    const given = configurationGiven(application, call);
    const value = given && unwrap(given);
    if (Node.isCallExpression(value) && value.getArguments().length > 0) return call;
    const literals = configurationOf(application, call);
    return literals.find((literal) => propertyNamed(literal, "cookies")) ?? literals.at(-1);
  });
  return new Set(keys).size < 2 && makersIn(application).every(isOnlyCalled);
}

/** Whether a file does nothing with the functions that make instances but call them: under another name they make further ones. */
function isOnlyCalled({ file, names }: Makers): boolean {
  return names
    .filter((name) => !name.includes("."))
    .flatMap((name) => usesOf(file, name))
    .every((use) => {
      const outer = outermost(use);
      const parent = outer.getParent();
      return (Node.isCallExpression(parent) && parent.getExpression() === outer) || Node.isTypeQuery(parent);
    });
}

/** What a value is made of. */
export interface Parts {
  /** Object literals, starting with the outermost. */
  readonly literals: readonly ObjectLiteralExpression[];
  /** The names of constants and functions that were followed. */
  readonly names: readonly Identifier[];
  /** Expressions that were not understood. */
  readonly unread: readonly Node[];
}

/** Reads an object from literals, spreads, constants, functions and choices, in this file or another. */
export function partsOf(application: ApplicationSources, given: Node, depth = 0): Parts {
  const node = unwrap(given);
  const unread: Parts = { literals: [], names: [], unread: [node] };
  if (depth > MAX_DEPTH) return unread;
  const read = (values: readonly Node[]) => joined(values.map((value) => partsOf(application, value, depth + 1)));
  const object = objectIn(node);
  if (object !== undefined) {
    const spreads = object.getProperties().filter(Node.isSpreadAssignment);
    const inner = read(spreads.map((spread) => spread.getExpression()));
    return { ...inner, literals: [object, ...inner.literals] };
  }
  if (Node.isIdentifier(node)) {
    const local = localOf(node);
    const value =
      local === undefined ? valueNamedBy(application, node.getSourceFile(), node.getText()) : constantValueOf(local);
    if (value === undefined) return unread;
    const inner = read([value]);
    const changes = changesOf(value.getFirstAncestor(Node.isVariableDeclaration));
    return { ...inner, names: [node, ...inner.names], unread: [...inner.unread, ...changes] };
  }
  if (Node.isArrowFunction(node) || Node.isFunctionExpression(node) || Node.isFunctionDeclaration(node))
    return read(returnsOf(node));
  if (Node.isAwaitExpression(node)) return read([node.getExpression()]);
  if (Node.isConditionalExpression(node)) return read([node.getWhenTrue(), node.getWhenFalse()]);
  if (!Node.isCallExpression(node) || !Node.isIdentifier(node.getExpression())) return unread;
  const [first] = node.getArguments();
  const isWrapped = first !== undefined && /^former(?:Server)?Session$/.test(node.getExpression().getText());
  return read([isWrapped ? first : node.getExpression()]);
}

/** A longer chain is a cycle. */
const MAX_DEPTH = 8;

/** The parameter or variable of a function that an identifier stands for. */
function localOf(node: Identifier): Node | undefined {
  return symbolOf(node)?.getDeclarations().find(functionAround);
}

function constantValueOf(declared: Node): Node | undefined {
  const isConstant =
    Node.isVariableDeclaration(declared) &&
    Node.isIdentifier(declared.getNameNode()) &&
    declared.getVariableStatement()?.getDeclarationKind() === "const";
  return isConstant ? declared.getInitializer() : undefined;
}

/** Uses of a constant that change its object where it is declared: `constant.member = …`, `Object.assign(constant, …)`. */
function changesOf(constant: VariableDeclaration | undefined): readonly Identifier[] {
  const name = constant?.getNameNode();
  return Node.isIdentifier(name) ? usesOfDeclared(name).filter(isChange) : [];
}

/** Where a constant is complete: behind its own statement and every statement of the file that changes it. */
export function afterChanges(constant: VariableDeclaration): number {
  const statements = [constant, ...changesOf(constant)].map(topStatement);
  return Math.max(...statements.map((one) => one.getEnd()));
}

/** Whether a use of an object may change it. */
export function isChange(use: Node): boolean {
  let node: Node = outermost(use);
  let parent = node.getParent();
  while (
    (Node.isPropertyAccessExpression(parent) || Node.isElementAccessExpression(parent)) &&
    parent.getExpression() === node
  ) {
    node = outermost(parent);
    parent = node.getParent();
  }
  if (Node.isCallExpression(parent)) {
    const isCalled = parent.getExpression() === node && node !== outermost(use);
    return isCalled || /^(?:Object|Reflect)\.(?:assign|definePropert|set)/.test(parent.getExpression().getText());
  }
  if (Node.isDeleteExpression(parent)) return true;
  if (!Node.isBinaryExpression(parent) || parent.getLeft() !== node || node === use) return false;
  return /^[^=!<>]*=$/.test(parent.getOperatorToken().getText());
}

function joined(all: readonly Parts[]): Parts {
  return {
    literals: all.flatMap(({ literals }) => literals),
    names: all.flatMap(({ names }) => names),
    unread: all.flatMap(({ unread }) => unread),
  };
}

function returnsOf(node: Node): readonly Node[] {
  const body = Node.isArrowFunction(node) ? node.getBody() : undefined;
  if (body !== undefined && !Node.isBlock(body)) return [body];
  return node
    .getDescendantsOfKind(SyntaxKind.ReturnStatement)
    .filter((statement) => functionAround(statement) === node)
    .flatMap((statement) => statement.getExpression() ?? []);
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
