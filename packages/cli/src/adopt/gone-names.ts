import { Node, SyntaxKind } from "ts-morph";
import { usesOfDeclared } from "./identifiers.ts";
import type { ModuleReference } from "./module-references.ts";
import { textOf } from "./resolve-value.ts";

const INSTANCE = "call `auth()` of the instance that `createAuth()` returns";

const SERVER_SESSION = { getServerSession: INSTANCE, unstable_getServerSession: INSTANCE };

/** Exports of the former packages that have no counterpart of that name, with what replaces them. */
const GONE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "next-auth": SERVER_SESSION,
  "next-auth/next": SERVER_SESSION,
  "@auth/express": {
    ExpressAuth: "create one instance with `createAuth(config)`, and mount its `router`",
    getSession: "create one instance with `createAuth(config)`, and call its `auth(req, res)`",
  },
};

/** A use of an export that has no counterpart. */
export interface GoneName {
  readonly node: Node;
  readonly what: string;
  readonly why: string;
}

/**
 * The exports without a counterpart that a reference to a former module uses. Such a reference keeps the former module, so that the file
 * does not load once the package is removed: under the new module, the name would be `undefined` in JavaScript, and the guard around it
 * might catch the error.
 *
 * A use of the whole module in a way that is not understood is one as well.
 */
export function goneNames({ literal, specifier, kind }: ModuleReference): readonly GoneName[] {
  const gone = GONE[specifier];
  if (gone === undefined || kind === "mock" || kind === "augmentation") return [];
  return namesFrom(literal.getParentOrThrow()).flatMap(({ node, name }): GoneName[] => {
    if (name === undefined)
      return [{ node, what: `uses ${specifier} as a whole`, why: Object.values(gone).join("; ") }];
    const why = Object.hasOwn(gone, name) ? gone[name] : undefined;
    return why === undefined ? [] : [{ node, what: `\`${name}\` of ${specifier} was not moved`, why }];
  });
}

interface NamedPart {
  readonly node: Node;
  /** undefined for a use of the whole module. */
  readonly name: string | undefined;
}

/** The exports of a module that a declaration or a call with its specifier uses. */
function namesFrom(parent: Node): readonly NamedPart[] {
  if (Node.isImportDeclaration(parent)) {
    const space = parent.getNamespaceImport();
    const values = parent.isTypeOnly() ? [] : parent.getNamedImports().filter((one) => !one.isTypeOnly());
    return space === undefined ? values.map((node) => ({ node, name: node.getName() })) : membersOf(space);
  }
  if (Node.isExportDeclaration(parent)) {
    const named = parent.getNamedExports();
    return parent.isTypeOnly() || named.length > 0
      ? named.map((node) => ({ node, name: node.getName() }))
      : [{ node: parent, name: undefined }];
  }
  if (Node.isExternalModuleReference(parent)) {
    const statement = parent.getParent();
    return Node.isImportEqualsDeclaration(statement) ? membersOf(statement.getNameNode()) : [];
  }
  if (!Node.isCallExpression(parent)) return [];
  const awaited = parent.getParent();
  return readsOf(Node.isAwaitExpression(awaited) ? awaited : parent);
}

/** The members of a module's value that are read: `value.name`, `const { name } = value`, `const space = value`. */
function readsOf(value: Node): readonly NamedPart[] {
  const parent = value.getParent();
  if (Node.isParenthesizedExpression(parent)) return readsOf(parent);
  if (Node.isExpressionStatement(parent)) return [];
  if (Node.isPropertyAccessExpression(parent)) return [{ node: parent, name: parent.getName() }];
  if (Node.isElementAccessExpression(parent)) return [{ node: parent, name: textOf(parent.getArgumentExpression()) }];
  if (!Node.isVariableDeclaration(parent)) return [{ node: value, name: undefined }];
  const target = parent.getNameNode();
  if (Node.isIdentifier(target)) return membersOf(target);
  return target.getDescendantsOfKind(SyntaxKind.BindingElement).map((node) => {
    const isRest = node.getDotDotDotToken() !== undefined;
    return { node, name: isRest ? undefined : (node.getPropertyNameNode() ?? node.getNameNode()).getText() };
  });
}

/** The members of a name for the whole module. A call is one of its default export. */
function membersOf(space: Node): readonly NamedPart[] {
  return usesOfDeclared(space).flatMap((use): readonly NamedPart[] => {
    const parent = use.getParent();
    const isRead = !Node.isCallExpression(parent) && !Node.isQualifiedName(parent) && !Node.isTypeQuery(parent);
    return isRead ? readsOf(use) : [];
  });
}
