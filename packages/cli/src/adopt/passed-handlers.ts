import { type ExportDeclaration, Node, type SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import type { Draft } from "./draft.ts";
import { routeOf, SEGMENT_OPTION } from "./former-handler.ts";
import { usesOf } from "./identifiers.ts";
import { moveToAppRouter } from "./route-files.ts";
import { inStyle, styleOf } from "./source-style.ts";

/**
 * Routes that export a handler of another file, `export const handler = NextAuth(options)`:
 *
 * 1. A route of the App Router exports the handlers of the instance, which that file now has.
 * 2. A route of the Pages Router that does nothing else becomes one of the App Router.
 * 3. Every other use of the handler is named.
 */
export function followHandler(
  draft: Draft,
  application: Application,
  home: SourceFile,
  name: string,
  handlers: string,
): void {
  for (const file of application.project.getSourceFiles()) {
    const imported = importOf(application, file, home, name);
    if (imported === undefined) continue;
    const route = routeOf(file);
    const exports = file.getExportDeclarations().filter((clause) => isPassed(clause, imported.local));
    const rest = restOf(file, imported.local, exports);
    if (route === "pages" && rest.length === 0) {
      moveToAppRouter(draft, application, file, home, handlers);
    } else if (route === "app" && exports.length > 0 && usesOf(file, imported.local).length === 0) {
      imported.rename(draft, handlers);
      exports.forEach((clause, index) => {
        if (index > 0) draft.remove(clause);
        else draft.replace(clause, inStyle(`export const { GET, POST } = ${handlers};`, styleOf(file.getFullText())));
      });
      draft.note("changed", exports[0] ?? file, "the route now exports the handlers of the instance");
    } else {
      const places = usesOf(file, imported.local);
      for (const place of places.length > 0 ? places : exports)
        draft.note(
          "left",
          place,
          `\`${name}\` was the handler of NextAuth, and is gone`,
          `use \`${handlers}\` of ${home.getFilePath().slice(1)}`,
        );
    }
  }
}

interface ImportedHandler {
  readonly local: string;
  readonly rename: (draft: Draft, handlers: string) => void;
}

function importOf(
  { resolve }: Application,
  file: SourceFile,
  home: SourceFile,
  name: string,
): ImportedHandler | undefined {
  for (const declaration of file.getImportDeclarations()) {
    const named = declaration.getNamedImports().find((one) => one.getName() === name);
    if (named === undefined || resolve(file, declaration.getModuleSpecifierValue()) !== home) continue;
    const local = (named.getAliasNode() ?? named.getNameNode()).getText();
    return { local, rename: (draft, handlers) => draft.replace(named, handlers) };
  }
  return undefined;
}

/** `export { handler as GET, handler as POST }`. */
function isPassed(clause: ExportDeclaration, local: string): boolean {
  const names = clause.getNamedExports();
  return !clause.hasModuleSpecifier() && names.length > 0 && names.every((one) => one.getName() === local);
}

/** What a route has besides the handler. */
function restOf(file: SourceFile, local: string, exports: readonly ExportDeclaration[]): readonly Node[] {
  return file.getStatements().filter((one) => {
    const isDefault = Node.isExportAssignment(one) && one.getExpression().getText() === local;
    const isImport =
      Node.isImportDeclaration(one) &&
      one.getNamedImports().some((named) => (named.getAliasNode() ?? named.getNameNode()).getText() === local);
    return !isDefault && !isImport && !exports.some((clause) => clause === one) && !SEGMENT_OPTION.test(one.getText());
  });
}
