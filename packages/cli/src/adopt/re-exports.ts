import type { ExportDeclaration, SourceFile } from "ts-morph";
import type { Application } from "./application.ts";

/** A declaration of the application: its file, and its name there. */
export interface Declared {
  readonly file: SourceFile;
  readonly name: string;
}

/** A longer chain is a cycle. */
const MAX_FILES = 8;

/**
 * Finds the file that declares what `file` exports as `name`:
 *
 * 1. The file itself, also as `export { options as name }`.
 * 2. A file that it re-exports the name from: `export { name } from`, or an import that is exported.
 * 3. A file of `export * from`.
 */
export function declarationOf(
  application: Pick<Application, "resolve">,
  file: SourceFile,
  name: string,
  depth = 0,
): Declared | undefined {
  if (depth > MAX_FILES) return undefined;
  const follow = (specifier: string, exported: string) => {
    const target = application.resolve(file, specifier);
    return target && declarationOf(application, target, exported, depth + 1);
  };
  const clauses = file.getExportDeclarations();
  const named = clauses.flatMap((clause) => namesOf(clause)).find((one) => one.exported === name);
  if (named?.specifier !== undefined) return follow(named.specifier, named.local);
  const local = named?.local ?? name;
  if (file.getVariableDeclaration(local) !== undefined || file.getFunction(local) !== undefined)
    return { file, name: local };
  for (const declaration of file.getImportDeclarations()) {
    const specifier = declaration.getModuleSpecifierValue();
    if (declaration.getDefaultImport()?.getText() === local) return follow(specifier, "default");
    const item = declaration
      .getNamedImports()
      .find((one) => (one.getAliasNode() ?? one.getNameNode()).getText() === local);
    if (item !== undefined) return follow(specifier, item.getName());
  }
  for (const clause of clauses.filter((one) => one.isNamespaceExport() && one.getNamespaceExport() === undefined)) {
    const found = follow(clause.getModuleSpecifierValue() ?? "", name);
    if (found !== undefined && name !== "default") return found;
  }
  return undefined;
}

interface ExportedName {
  readonly exported: string;
  readonly local: string;
  readonly specifier: string | undefined;
}

function namesOf(clause: ExportDeclaration): readonly ExportedName[] {
  const specifier = clause.getModuleSpecifierValue();
  return clause.getNamedExports().map((one) => {
    const exported = (one.getAliasNode() ?? one.getNameNode()).getText();
    return { exported, local: one.getName(), specifier };
  });
}
