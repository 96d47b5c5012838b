import type { Node, SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import type { Draft } from "./draft.ts";
import type { FormerImport } from "./former-import.ts";
import { inStyle, styleOf } from "./source-style.ts";

/** `pages/api/auth/[...nextauth].ts` becomes `app/api/auth/[...nextauth]/route.ts`: the same path. */
export function moveToAppRouter(
  draft: Draft,
  application: Application,
  route: SourceFile,
  home: SourceFile | string,
  handlers: string,
): void {
  const path = route.getFilePath();
  const target = path
    .replace("/pages/", "/app/")
    .replace(/\.(\w+)$/, "/route.$1")
    .replace(/\.(?:tsx|jsx)$/, (ending) => ending.slice(0, -1));
  const style = styleOf(route.getFullText());
  const homePath = typeof home === "string" ? home : home.getFilePath();
  const like = route
    .getImportDeclarations()
    .map((item) => item.getModuleSpecifierValue())
    .find((specifier) => /^[@~#]\//.test(specifier));
  const specifier = application.specifier(target, homePath, like);
  draft.files.set(path, null);
  draft.files.set(
    target,
    inStyle(`import { ${handlers} } from "${specifier}";\n\nexport const { GET, POST } = ${handlers};\n`, style),
  );
  draft.note("changed", target, `replaces ${path.slice(1)}, at the same URL path`);
}

/** Removes the default import of `next-auth`. Named imports are left to the rule for imports. */
export function dropNextAuth(draft: Draft, declaration: FormerImport["declaration"], statement: Node): void {
  const named = declaration?.getNamedImports() ?? [];
  const clause = declaration?.getImportClause();
  if (clause === undefined || named.length === 0) draft.remove(statement);
  else draft.replace(clause, `{ ${named.map((item) => item.getText()).join(", ")} }`);
}
