import { Node, type SourceFile, type StringLiteral, SyntaxKind, ts } from "ts-morph";

/** A string that names a module. */
export interface ModuleReference {
  readonly literal: StringLiteral;
  readonly specifier: string;
  /** `mock`: the first argument of `jest.mock()`, `vi.mock()` and their like. */
  readonly kind: "import" | "export" | "augmentation" | "call" | "mock" | "type";
}

/** Most rules ask for the references of each file. A file that is changed has another syntax tree. */
const known = new WeakMap<object, readonly ModuleReference[]>();

/** Every module specifier of a file, whichever way it is written. */
export function moduleReferences(file: SourceFile): readonly ModuleReference[] {
  const references = known.get(file.compilerNode) ?? findReferences(file);
  known.set(file.compilerNode, references);
  return references;
}

function findReferences(file: SourceFile): readonly ModuleReference[] {
  return literalsIn(file.compilerNode).flatMap((found): ModuleReference[] => {
    const literal = file.getDescendantAtPos(found.getStart());
    const kind = Node.isStringLiteral(literal) ? kindOf(literal) : undefined;
    return !Node.isStringLiteral(literal) || kind === undefined
      ? []
      : [{ literal, specifier: literal.getLiteralValue(), kind }];
  });
}

/**
 * The strings in places where a module may be named. This walks the compiler's own tree: most strings of an application are not
 * such, and to represent each of them takes most of the time.
 */
function literalsIn(node: ts.Node): readonly ts.StringLiteral[] {
  const found: ts.StringLiteral[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isStringLiteral(child) && PLACES.has(child.parent.kind)) found.push(child);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
}

const PLACES: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ImportDeclaration,
  SyntaxKind.ExportDeclaration,
  SyntaxKind.ModuleDeclaration,
  SyntaxKind.ExternalModuleReference,
  SyntaxKind.LiteralType,
  SyntaxKind.CallExpression,
]);

function kindOf(literal: StringLiteral): ModuleReference["kind"] | undefined {
  const parent = literal.getParent();
  if (Node.isImportDeclaration(parent)) return "import";
  if (Node.isExportDeclaration(parent)) return "export";
  if (Node.isModuleDeclaration(parent)) return "augmentation";
  if (Node.isExternalModuleReference(parent)) return "call";
  if (Node.isLiteralTypeNode(parent) && Node.isImportTypeNode(parent.getParent())) return "type";
  if (!Node.isCallExpression(parent) || parent.getArguments()[0] !== literal) return undefined;
  const callee = parent.getExpression().getText();
  if (callee === "require" || callee === "import" || callee === "require.resolve") return "call";
  return /^(?:jest|vi|vitest|mock)\.\w*(?:mock|Mock|require|import|module)\w*$/i.test(callee) ? "mock" : undefined;
}

/** The text of a string literal with another value: its quotes stay. */
export function requoted(literal: StringLiteral, value: string): string {
  const quote = literal.getText()[0] ?? '"';
  return quote + value + quote;
}
