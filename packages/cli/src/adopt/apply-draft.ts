import { type ImportDeclaration, type Project, type SourceFile, SyntaxKind, ts } from "ts-morph";
import type { Draft, Edit, Note, WantedImport } from "./draft.ts";
import { inStyle, styleOf } from "./source-style.ts";

/** The state between two rules: texts that are not source code, and the notes so far with their updated positions. */
export interface Progress {
  readonly project: Project;
  readonly texts: Map<string, string>;
  notes: readonly Note[];
  /** The files before the first rule. */
  readonly before: ReadonlyMap<string, string>;
  /** Files that stay as they were, because a change did not parse. */
  readonly left: Set<string>;
}

/**
 * Applies the changes of a rule:
 *
 * 1. Removes and adds files.
 * 2. Applies all edits of a file from end to beginning. Everything outside the edits is unchanged.
 * 3. Adds imports to an existing import of the module, otherwise after the last import.
 * 4. Updates the positions of earlier notes, which follow text that moves to another file.
 * 5. A file that does not parse afterwards gets its first text back, is named, and is not changed any more.
 */
export function applyDraft(progress: Progress, draft: Draft): void {
  progress.notes = [...progress.notes, ...draft.notes];
  change(progress, draft);
  progress.notes = progress.notes.filter(({ kind, path }) => kind !== "changed" || !progress.left.has(path));
}

function change(progress: Progress, draft: Draft): void {
  const before = new Map(
    draft.imports.map(({ path }) => [path, progress.project.getSourceFile(path)?.getFullText() ?? ""]),
  );
  for (const { from, to, edits } of draft.moves) {
    if (!progress.left.has(from)) progress.notes = moveNotes(progress.notes, { from, to, edits });
  }
  for (const [path, edits] of groupByPath(draft.edits)) write(progress, path, edits);
  for (const [path, text] of draft.files) {
    const file = progress.project.getSourceFile(path);
    if (progress.left.has(path)) continue;
    if (text === null && file !== undefined) progress.project.removeSourceFile(file);
    if (text !== null) put(progress, path, text);
  }
  for (const wanted of draft.imports) {
    const file = progress.project.getSourceFile(wanted.path);
    const edit =
      file === undefined ? undefined : importEdit(file, wanted, before.get(wanted.path) || file.getFullText());
    if (edit !== undefined) write(progress, wanted.path, [edit]);
  }
}

function groupByPath(edits: readonly Edit[]): ReadonlyMap<string, readonly Edit[]> {
  const groups = new Map<string, Edit[]>();
  for (const edit of edits) groups.set(edit.path, [...(groups.get(edit.path) ?? []), edit]);
  return groups;
}

function write(progress: Progress, path: string, edits: readonly Edit[]): void {
  const file = progress.project.getSourceFile(path);
  const before = file?.getFullText() ?? progress.texts.get(path);
  if (before === undefined) throw new Error(`A rule edited ${path}, which is not part of the application.`);
  if (progress.left.has(path)) return;
  const after = applyEdits(before, edits);
  if (after === undefined) {
    leave(progress, path);
    return;
  }
  put(progress, path, after);
  progress.notes = moveNotes(progress.notes, { from: path, to: path, edits });
}

/** Notes about a place follow it. */
function moveNotes(notes: readonly Note[], { from, to, edits }: Draft["moves"][number]): readonly Note[] {
  return notes.map((note) =>
    note.path === from && note.at !== undefined ? { ...note, path: to, at: movedBy(edits, note.at) } : note,
  );
}

/** Replaces the text of a file, if it parses. */
function put(progress: Progress, path: string, text: string): void {
  if (progress.texts.has(path)) {
    const isBroken = /\.json$/.test(path) && ts.parseConfigFileTextToJson(path, text).error !== undefined;
    if (isBroken) leave(progress, path);
    else progress.texts.set(path, text);
    return;
  }
  const file = progress.project.createSourceFile(path, text, { overwrite: true });
  const errors: unknown = Reflect.get(file.compilerNode, "parseDiagnostics");
  if (Array.isArray(errors) && errors.length > 0) leave(progress, path);
}

/** Restores a file, or removes it if it is new. */
function leave(progress: Progress, path: string): void {
  const text = progress.before.get(path);
  const file = progress.project.getSourceFile(path);
  if (progress.texts.has(path)) progress.texts.set(path, text ?? "");
  else if (text !== undefined) progress.project.createSourceFile(path, text, { overwrite: true });
  else if (file !== undefined) progress.project.removeSourceFile(file);
  progress.left.add(path);
  progress.notes = [
    ...progress.notes.filter((note) => note.path !== path),
    { kind: "left", path, at: undefined, what: "was not changed, because the result would not parse", why: BY_HAND },
  ];
}

/** The remedy for a file that the command does not change. */
export const BY_HAND = "move it by hand (docs/from-authjs.md#appendix-by-hand)";

/** Applies edits to a text. @returns undefined if two edits overlap, so that one of them would be lost. */
export function applyEdits(text: string, edits: readonly Edit[]): string | undefined {
  // The same replacement may occur twice, such as the removal of an import.
  const isRepeated = (edit: Edit, index: number) =>
    edit.start < edit.end &&
    edits.findIndex((other) => other.start === edit.start && other.end === edit.end && other.text === edit.text) <
      index;
  const sorted = edits
    .filter((edit, index) => !isRepeated(edit, index))
    .map((edit, index) => ({ ...edit, index }))
    .sort((a, b) => b.start - a.start || b.end - a.end || b.index - a.index);
  let result = text;
  let limit = text.length;
  for (const { start, end, text: replacement } of sorted) {
    if (end > limit) return undefined;
    result = result.slice(0, start) + replacement + result.slice(end);
    limit = start;
  }
  return result;
}

function movedBy(edits: readonly Edit[], at: number): number {
  const before = edits.filter(({ end, start }) => end <= at && start < at);
  return before.reduce((position, { start, end, text }) => position + text.length - (end - start), at);
}

/** @param former The text before the rule, which determines the style even if its imports were removed. */
function importEdit(file: SourceFile, { path, module, name, isType }: WantedImport, former: string): Edit | undefined {
  const declarations = file.getImportDeclarations();
  const same = declarations.filter((declaration) => declaration.getModuleSpecifierValue() === module);
  if (same.some((declaration) => importsName(declaration, name, isType))) return undefined;
  const home = same.find(
    (declaration) => declaration.isTypeOnly() === false && declaration.getNamespaceImport() === undefined,
  );
  const style = styleOf(former);
  const named = home?.getNamedImports().at(-1);
  const specifier = isType && !named?.getParent().getParent().isTypeOnly() ? `type ${name}` : name;
  if (named !== undefined) return { path, start: named.getEnd(), end: named.getEnd(), text: `, ${specifier}` };
  const standalone = home?.getDefaultImport();
  if (standalone !== undefined) {
    return { path, start: standalone.getEnd(), end: standalone.getEnd(), text: `, { ${specifier} }` };
  }
  if (home !== undefined) {
    const clause = inStyle(`import { ${specifier} } from "${module}";`, style);
    return { path, start: home.getStart(), end: home.getEnd(), text: clause };
  }
  const line = inStyle(importLine(file, former, { module, name, isType }), style);
  const last = declarations.at(-1);
  if (last !== undefined) {
    // A comment behind the last import belongs to it.
    const end = last.getTrailingCommentRanges().at(-1)?.getEnd() ?? last.getEnd();
    return { path, start: end, end, text: style.eol + line };
  }
  const start = firstStatementAt(file);
  return { path, start, end: start, text: line + style.eol };
}

/** CommonJS files keep using `require`. */
function importLine(file: SourceFile, former: string, { module, name, isType }: Omit<WantedImport, "path">): string {
  const isCommonJs = !/^import\b/m.test(former) && /\brequire\(/.test(former) && /\.c?js$/.test(file.getFilePath());
  if (isCommonJs && !isType) return `const { ${name.replace(" as ", ": ")} } = require("${module}");`;
  return isType ? `import type { ${name} } from "${module}";` : `import { ${name} } from "${module}";`;
}

function importsName(declaration: ImportDeclaration, name: string, isType: boolean): boolean {
  if (declaration.isTypeOnly() && !isType) return false;
  return declaration.getNamedImports().some((named) => {
    const alias = named.getAliasNode()?.getText();
    const whole = alias === undefined ? named.getName() : `${named.getName()} as ${alias}`;
    return whole === name && (isType || !named.isTypeOnly());
  });
}

/** The position after leading comments and directives such as "use client". */
function firstStatementAt(file: SourceFile): number {
  const statements = file.getStatements();
  const directives = statements.filter((statement) => /^["']use \w+["'];?$/.test(statement.getText()));
  const last = directives.at(-1);
  if (last !== undefined) {
    const end = last.getEnd();
    return end + (/^\r?\n/.exec(file.getFullText().slice(end))?.[0].length ?? 0);
  }
  const first = statements.find((statement) => statement.getKind() !== SyntaxKind.EmptyStatement);
  const start = first?.getStart() ?? 0;
  return /^\s*$/.test(file.getFullText().slice(0, start)) ? 0 : start;
}
