import type { Node, SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import type { Draft } from "./draft.ts";
import { SEGMENT_OPTION } from "./former-handler.ts";
import type { FormerImport } from "./former-import.ts";
import type { HandlerExport } from "./handler-shape.ts";
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
  const settings = route.getStatements().find((statement) => SEGMENT_OPTION.test(statement.getText()));
  if (settings !== undefined)
    draft.note(
      "look",
      target,
      `\`${settings.getText().split("\n", 1)[0]}\` of ${path.slice(1)} was removed`,
      "route handlers do not parse bodies and have settings of their own",
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

/** Removes the statements that export the former handler; what shares one with it stays. */
export function dropExports(draft: Draft, exports: readonly HandlerExport[]): void {
  for (const { node, text } of exports) {
    if (text === "") draft.remove(node);
    else draft.replace(node, text);
  }
}
