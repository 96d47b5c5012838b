import { Node, type SourceFile, type StringLiteral, SyntaxKind } from "ts-morph";

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
  return file.getDescendantsOfKind(SyntaxKind.StringLiteral).flatMap((literal): ModuleReference[] => {
    const kind = kindOf(literal);
    return kind === undefined ? [] : [{ literal, specifier: literal.getLiteralValue(), kind }];
  });
}

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
