import { type Expression, Node, type SourceFile, type VariableDeclaration } from "ts-morph";
import type { Application } from "./application.ts";
import { symbolOf, usesOfDeclared } from "./identifiers.ts";
import { objectIn, unwrap, valueNamed } from "./object-literals.ts";
import { declarationOf } from "./re-exports.ts";

type Sources = Pick<Application, "resolve">;

/** A longer chain is a cycle. */
const MAX_STEPS = 12;

/**
 * The constant that an expression stands for, wherever it is declared. Names are resolved as the compiler does, so that a parameter or
 * a local variable is not taken for a constant of the same name.
 *
 * 1. A name, in parentheses or cast: a `const` of the module.
 * 2. A name that is imported, re-exported or required, and a member of a namespace or of an object that is only read: that constant.
 * 3. A constant that is another one, and `{ ...constant }` where it is used: that other one.
 *
 * @returns undefined for everything else, such as a parameter, a call or a variable that may change.
 */
export function constantOf(application: Sources, given: Node, depth = 0): VariableDeclaration | undefined {
  const named = depth > MAX_STEPS ? undefined : declarationNamed(application, withoutCopy(given));
  if (named === undefined || !Node.isVariableDeclaration(named)) return undefined;
  const statement = named.getVariableStatement();
  const value = named.getInitializer();
  if (value === undefined || statement?.getDeclarationKind() !== "const") return undefined;
  // A copy may be changed afterwards.
  const inner = unwrap(value);
  if (isName(inner)) return constantOf(application, inner, depth + 1);
  return Node.isSourceFile(statement.getParent()) && Node.isIdentifier(named.getNameNode()) ? named : undefined;
}

/** The value of an expression: what is written there, or what the constant or function that it names is. */
export function valueAt(application: Sources, given: Node): Node | undefined {
  const inner = unwrap(given);
  if (!isName(inner)) return inner;
  const named = declarationNamed(application, inner);
  if (Node.isFunctionDeclaration(named)) return named;
  const value = constantOf(application, inner)?.getInitializer();
  if (value !== undefined) return unwrap(value);
  return Node.isExportAssignment(named) ? unwrap(named.getExpression()) : undefined;
}

function isName(node: Node): boolean {
  return Node.isIdentifier(node) || Node.isPropertyAccessExpression(node) || Node.isElementAccessExpression(node);
}

/** `{ ...constant }` is the same configuration. */
function withoutCopy(given: Node): Node {
  const inner = unwrap(given);
  const [only, ...others] = objectIn(inner)?.getProperties() ?? [];
  return Node.isSpreadAssignment(only) && others.length === 0 ? withoutCopy(only.getExpression()) : inner;
}

function declarationNamed(application: Sources, node: Node, depth = 0): Node | undefined {
  if (depth > MAX_STEPS) return undefined;
  if (!Node.isIdentifier(node)) return memberNamed(application, node, depth);
  const [declared, ...others] = symbolOf(node)?.getDeclarations() ?? [];
  if (declared === undefined || others.length > 0) return undefined;
  const file = node.getSourceFile();
  if (Node.isImportSpecifier(declared))
    return exported(application, file, declared.getImportDeclaration().getModuleSpecifierValue(), declared.getName());
  const statement = Node.isImportClause(declared) ? declared.getParent() : undefined;
  if (Node.isImportDeclaration(statement))
    return exported(application, file, statement.getModuleSpecifierValue(), "default");
  if (!Node.isBindingElement(declared)) return declared;
  const holder = declared.getParentOrThrow().getParent();
  const module = Node.isVariableDeclaration(holder) ? moduleOf(holder.getInitializer()) : undefined;
  const name = (declared.getPropertyNameNode() ?? declared.getNameNode()).getText();
  return module === undefined ? undefined : exported(application, file, module, name);
}

/** `space.name` and `space["name"]`, of `import * as space`, `const space = require("…")` or an object whose members are only read. */
function memberNamed(application: Sources, node: Node, depth: number): Node | undefined {
  const name = Node.isPropertyAccessExpression(node)
    ? node.getName()
    : Node.isElementAccessExpression(node)
      ? textOf(node.getArgumentExpression())
      : undefined;
  const space =
    Node.isPropertyAccessExpression(node) || Node.isElementAccessExpression(node) ? node.getExpression() : undefined;
  if (name === undefined || !Node.isIdentifier(space)) return undefined;
  const [declared] = space.getSymbol()?.getDeclarations() ?? [];
  const file = node.getSourceFile();
  const clause = Node.isNamespaceImport(declared) ? declared.getParentOrThrow().getParent() : undefined;
  if (Node.isImportDeclaration(clause)) return exported(application, file, clause.getModuleSpecifierValue(), name);
  const module = Node.isVariableDeclaration(declared) ? moduleOf(declared.getInitializer()) : undefined;
  if (module !== undefined) return exported(application, file, module, name);
  const object =
    Node.isVariableDeclaration(declared) && isOnlyRead(declared) ? objectIn(declared.getInitializer()) : undefined;
  const member = object?.getProperties().some(Node.isSpreadAssignment) === false ? valueNamed(object, name) : undefined;
  return member && declarationNamed(application, unwrap(member), depth + 1);
}

/** Whether a file does nothing with an object but read its members, so that they are what is written there. */
function isOnlyRead(declaration: VariableDeclaration): boolean {
  const name = declaration.getNameNode();
  if (declaration.getVariableStatement()?.isExported() !== false) return false;
  return usesOfDeclared(name).every((use) => {
    const access = use.getParent();
    const isAccess = Node.isPropertyAccessExpression(access) || Node.isElementAccessExpression(access);
    const around = access?.getParent();
    const isChanged = Node.isBinaryExpression(around) && around.getLeft() === access;
    return isAccess && access.getExpression() === use && !isChanged && !Node.isDeleteExpression(around);
  });
}

/** The text of a plain string. */
export function textOf(node: Expression | undefined): string | undefined {
  return Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node) ? node.getLiteralText() : undefined;
}

function moduleOf(value: Node | undefined): string | undefined {
  const call = value && unwrap(value);
  const [specifier] =
    Node.isCallExpression(call) && call.getExpression().getText() === "require" ? call.getArguments() : [];
  return Node.isStringLiteral(specifier) ? specifier.getLiteralValue() : undefined;
}

/** What a file of the application exports under a name. */
function exported({ resolve }: Sources, from: SourceFile, specifier: string, name: string): Node | undefined {
  const file = resolve(from, specifier);
  if (file === undefined) return undefined;
  const declared = declarationOf({ resolve }, file, name);
  if (declared !== undefined)
    return declared.file.getVariableDeclaration(declared.name) ?? declared.file.getFunction(declared.name);
  const standard = name === "default" ? file.getExportAssignment((one) => !one.isExportEquals()) : undefined;
  const value = standard && unwrap(standard.getExpression());
  if (value === undefined || !isName(value)) return standard;
  return declarationNamed({ resolve }, value, 1);
}
