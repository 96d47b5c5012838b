import { dirname } from "node:path/posix";
import { Node, type SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import { applyEdits, BY_HAND } from "./apply-draft.ts";
import { type FreshBinding, freshBinding } from "./auth-instance.ts";
import { Draft, type Edit } from "./draft.ts";
import { type FormerHandler, type FormerOptions, SEGMENT_OPTION } from "./former-handler.ts";
import { moduleReferences, requoted } from "./module-references.ts";
import { dropExports, dropNextAuth, moveToAppRouter } from "./route-files.ts";
import { inStyle, styleOf } from "./source-style.ts";

/** Moves a route that holds the options into a file of its own, and leaves a route that exports the handlers. */
export function hoistOptions(
  draft: Draft,
  application: Application,
  handler: FormerHandler,
  options: FormerOptions,
): FreshBinding {
  const { file } = handler;
  const home = freeHome(application, file);
  const binding = freshBinding(file);
  const edits = homeEdits(application, handler, options, home, binding.text);
  const text = applyEdits(file.getFullText(), edits);
  if (text === undefined) {
    draft.note("left", file.getFilePath(), "the options were not moved out of the route", BY_HAND);
    return binding;
  }
  draft.files.set(home, text);
  draft.moves.push({ from: file.getFilePath(), to: home, edits });
  draft.note("changed", home, `holds the configuration that was in ${file.getFilePath().slice(1)}`);
  draft.added.add("@cardea/next");
  followMove(draft, application, file, home);
  if (handler.route === "pages") {
    moveToAppRouter(draft, application, file, home, binding.handlers);
    return binding;
  }
  const style = styleOf(file.getFullText());
  const like = file
    .getImportDeclarations()
    .map((item) => item.getModuleSpecifierValue())
    .find((specifier) => /^[@~#]\//.test(specifier));
  const kept = file
    .getStatements()
    .map((statement) => statement.getText())
    .filter((line) => SEGMENT_OPTION.test(line));
  const lines = [
    `import { ${binding.handlers} } from "${application.specifier(file.getFilePath(), home, like)}";`,
    "",
    ...kept,
    `export const { GET, POST } = ${binding.handlers};`,
    "",
  ];
  draft.files.set(file.getFilePath(), inStyle(lines.join("\n"), style));
  draft.note("changed", file.getFilePath(), "the route exports the handlers of the instance");
  return binding;
}

/** `auth.ts` in `src` or at the top, or another name when that is taken. */
function freeHome({ project }: Application, route: SourceFile): string {
  const path = route.getFilePath();
  const root = path.startsWith("/src/") ? "/src" : "";
  const ending = /\.(?:tsx?|jsx?|mjs|cjs)$/.exec(path)?.[0].replace("x", "") ?? ".ts";
  const candidates = ["auth", "lib/auth", "auth-instance", "lib/auth-instance"].map((name) => `${root}/${name}`);
  const isTaken = (stem: string) =>
    [".ts", ".tsx", ".js", ".jsx", "/index.ts", "/index.tsx", "/index.js"].some(
      (end) => project.getSourceFile(stem + end) !== undefined,
    );
  return `${candidates.find((stem) => !isTaken(stem)) ?? `${root}/cardea-auth`}${ending}`;
}

/** Edits of the route's text: the instance in place of the handler, and relative imports as seen from its new place. */
function homeEdits(
  application: Application,
  handler: FormerHandler,
  options: FormerOptions,
  home: string,
  binding: string,
): readonly Edit[] {
  const { file, imported, statements, exports } = handler;
  const own = new Draft();
  const style = styleOf(file.getFullText());
  const given = options.kind === "inline" ? options.text : options.name;
  const [first, ...others] = statements;
  if (first !== undefined) {
    const before = `export const ${binding} = createAuth(`;
    const after = `)${style.semicolon}`;
    const inside = first.getText().indexOf(given);
    const at = first.getStart() + inside;
    if (options.kind !== "inline" || inside < 0) own.replace(first, before + given + after);
    else {
      // Around the options, so that notes about them find their places.
      own.editText(file.getFilePath(), first.getStart(), at, before);
      own.editText(file.getFilePath(), at + given.length, first.getEnd(), after);
    }
  }
  for (const node of others) own.remove(node);
  dropExports(own, exports);
  for (const statement of file.getStatements()) if (SEGMENT_OPTION.test(statement.getText())) own.remove(statement);
  dropNextAuth(own, imported.declaration, imported.statement);
  const importLine = inStyle(
    imported.declaration === undefined
      ? 'const { createAuth } = require("@cardea/next");\n'
      : 'import { createAuth } from "@cardea/next";\n',
    style,
  );
  own.insert(file, imported.statement.getStart(), importLine);
  const moved = relativeEdits(application, file, home).filter(
    ({ start, end }) => !own.edits.some((edit) => start >= edit.start && end <= edit.end && edit.end > edit.start),
  );
  return [...own.edits, ...moved];
}

function relativeEdits({ resolve, specifier: write }: Application, file: SourceFile, home: string): readonly Edit[] {
  return moduleReferences(file).flatMap(({ literal, specifier }): Edit[] => {
    const target = specifier.startsWith(".") ? resolve(file, specifier) : undefined;
    if (target === undefined || dirname(home) === dirname(file.getFilePath())) return [];
    const text = requoted(literal, write(home, target.getFilePath(), specifier));
    return [{ path: file.getFilePath(), start: literal.getStart(), end: literal.getEnd(), text }];
  });
}

/** Every import of the route now leads to its new place. */
function followMove(
  draft: Draft,
  { project, resolve, specifier: write }: Application,
  route: SourceFile,
  home: string,
): void {
  for (const file of project.getSourceFiles()) {
    if (file === route) continue;
    for (const { literal, specifier } of moduleReferences(file)) {
      if (resolve(file, specifier) !== route) continue;
      draft.replace(literal, requoted(literal, write(file.getFilePath(), home, specifier)));
      const parent = literal.getParent();
      if (Node.isImportDeclaration(parent)) draft.note("changed", literal, `imports ${home.slice(1)}`);
    }
  }
}
