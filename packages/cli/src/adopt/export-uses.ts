import { Node, type SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import { usesOfDeclared } from "./identifiers.ts";
import { type NamedPart, namesFrom } from "./module-names.ts";
import { moduleReferences } from "./module-references.ts";

/** An export of these modules, or of a file of the application. */
export interface Origin {
  readonly from: readonly string[] | SourceFile;
  readonly names: readonly string[];
}

/** The names under which files of the application pass an export on. */
type Passed = Map<SourceFile, Set<string>>;

/** A longer chain is a cycle. */
const MAX_FILES = 8;

/**
 * The uses of an export in all files, in whichever way they get it: imported, also under another name or as a member of the whole module,
 * required, taken from `import()`, or re-exported by another file. An access to a member of the whole module is a use as a whole.
 */
export function usesOfExport(application: Pick<Application, "project" | "resolve">, origin: Origin): readonly Node[] {
  const passed: Passed = new Map();
  for (let depth = 0; depth < MAX_FILES; depth++) {
    const before = sizeOf(passed);
    for (const part of partsOf(application, origin, passed)) passOn(passed, part);
    if (sizeOf(passed) === before) break;
  }
  return partsOf(application, origin, passed).flatMap(({ at }) => usesAt(at));
}

/** A place of a file that takes an export, with all the names that it has in the module. */
interface Part {
  readonly at: Node;
  readonly names: readonly string[];
}

const sizeOf = (passed: Passed): number => [...passed.values()].reduce((sum, names) => sum + names.size, 0);

/** The places of all files that take the export. */
function partsOf(
  { project, resolve }: Pick<Application, "project" | "resolve">,
  { from, names }: Origin,
  passed: Passed,
): readonly Part[] {
  const isResolved = !Array.isArray(from) || passed.size > 0;
  return project.getSourceFiles().flatMap((file) =>
    moduleReferences(file).flatMap(({ literal, specifier, kind }): readonly Part[] => {
      if (kind === "mock" || kind === "type" || kind === "augmentation") return [];
      const target = isResolved ? resolve(file, specifier) : undefined;
      const isOrigin = Array.isArray(from) ? from.includes(specifier) : target === from;
      const own = new Set([...(isOrigin ? names : []), ...((target && passed.get(target)) ?? [])]);
      if (own.size === 0) return [];
      const isTaken = ({ node, name }: NamedPart) =>
        name === undefined ? Node.isExportDeclaration(node) : own.has(name);
      const parts = namesFrom(literal.getParentOrThrow()).filter(isTaken);
      return parts.map(({ node }) => ({ at: node, names: [...own] }));
    }),
  );
}

function passOn(passed: Passed, { at, names }: Part): void {
  const file = at.getSourceFile();
  const exported = Node.isExportDeclaration(at)
    ? names.filter((name) => name !== "default")
    : Node.isExportSpecifier(at)
      ? [(at.getAliasNode() ?? at.getNameNode()).getText()]
      : exportsOf(file, localAt(at)?.getText());
  if (exported.length > 0) passed.set(file, new Set([...(passed.get(file) ?? []), ...exported]));
}

/** The names under which a file exports one of its own. */
export function exportsOf(file: SourceFile, local: string | undefined): readonly string[] {
  if (local === undefined) return [];
  const clauses = file.getExportDeclarations().filter((clause) => !clause.hasModuleSpecifier());
  const named = clauses.flatMap((clause) => clause.getNamedExports()).filter((one) => one.getName() === local);
  const isDefault = file.getExportAssignments().some((one) => one.getExpression().getText() === local);
  return [
    ...named.map((one) => (one.getAliasNode() ?? one.getNameNode()).getText()),
    ...(isDefault ? ["default"] : []),
  ];
}

/** The name that a place declares in its file. */
function localAt(at: Node): Node | undefined {
  if (Node.isImportSpecifier(at)) return at.getAliasNode() ?? at.getNameNode();
  if (Node.isBindingElement(at)) return at.getNameNode();
  return Node.isIdentifier(at) ? at : undefined;
}

function usesAt(at: Node): readonly Node[] {
  const local = localAt(at);
  if (local !== undefined) return usesOfDeclared(local);
  return Node.isPropertyAccessExpression(at) || Node.isElementAccessExpression(at) ? [at] : [];
}
