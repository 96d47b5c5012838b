import { type Manifest, parseManifest } from "../files/manifest.ts";
import type { Application, FormerLibrary } from "./application.ts";
import { applyDraft, BY_HAND, type Progress } from "./apply-draft.ts";
import { Draft, type Note, type Rule } from "./draft.ts";
import { foreignInstances } from "./foreign-instances.ts";
import { neighbourNotes } from "./neighbours.ts";
import { type ApplicationFiles, type Refusal, readApplication, workspaceOf } from "./read-application.ts";
import { LEFT_RULES, RULES } from "./rules.ts";

const MARK = "\uFEFF";

/** A line of the report, with its location in the migrated application. */
interface ReportLine extends Pick<Note, "kind" | "what" | "why"> {
  /** Path from the application's folder. */
  readonly file: string;
  /** Line number, starting at 1; undefined for the file as a whole. */
  readonly line: number | undefined;
}

/** The result of a migration. Nothing has been written yet. */
export interface Adoption {
  /** Changed and new files by path; null for files to remove. */
  readonly files: ReadonlyMap<string, string | null>;
  readonly report: readonly ReportLine[];
  /** Packages for the application's package manager to install and to remove. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Migrates an application from Auth.js v5 or NextAuth v4. A pure function: takes the files, returns the new ones.
 *
 * @returns A refusal if the application cannot be migrated; an adoption without files if there is nothing to migrate, or if its instance is
 *   made by another package, which comes first.
 */
export function adopt(application: ApplicationFiles, rules: readonly Rule[] = RULES): Adoption | Refusal {
  const read = readApplication(application);
  const neighbours = (manifest: Manifest) => neighbourNotes(manifest, workspaceOf(application));
  if (read === null) {
    const notes = [
      ...unreadNotes(application),
      ...neighbours(parseManifest(application.files.get("/package.json") ?? "{}")),
      ...leftIn(application),
    ];
    const report = notes.filter(({ kind }) => kind === "left");
    return { files: new Map(), report: reportOf(report, application.files), added: [], removed: [] };
  }
  if ("refused" in read) return read;
  const foreign = foreignInstances(read);
  if (foreign.length > 0) {
    const report = reportOf([...neighbours(read.manifest), ...foreign], application.files);
    return { files: new Map(), report, added: [], removed: [] };
  }
  const before = new Map(
    [...application.files].map(([path, text]) => [path, text.startsWith(MARK) ? text.slice(1) : text]),
  );
  const notes = [...unreadNotes(application), ...neighbours(read.manifest)];
  if (read.isGuess) notes.push(guessNote(read.former));
  const progress: Progress = { project: read.project, texts: new Map(read.texts), notes, before, left: new Set() };
  const packages = new Draft();
  for (const rule of rules) {
    const state: Application = { ...read, texts: progress.texts };
    const draft = rule(state);
    applyDraft(progress, draft);
    for (const name of draft.added) packages.added.add(name);
    for (const name of draft.removed) packages.removed.add(name);
  }
  const texts = withMarks(application.files, textsOf(progress));
  return {
    files: changesOf(application.files, texts),
    report: reportOf(progress.notes, texts),
    // A declared version is the developer's choice.
    added: [...packages.added].filter((name) => read.manifest.dependencies?.[name] === undefined).sort(),
    removed: [...packages.removed].sort(),
  };
}

/** Files that the command cannot change. */
function unreadNotes({ left }: ApplicationFiles): readonly Note[] {
  return [...(left ?? [])].map(([path, reason]) => {
    return { kind: "left", path, at: undefined, what: `was not read: ${reason}`, why: BY_HAND };
  });
}

/** What still needs a hand in an application that was moved before. */
function leftIn(application: ApplicationFiles): readonly Note[] {
  const moved = readApplication(application, true);
  return moved === null || "refused" in moved ? [] : LEFT_RULES.flatMap((rule) => rule(moved).notes);
}

function guessNote(former: FormerLibrary): Note {
  return {
    kind: "look",
    path: "/package.json",
    at: undefined,
    what: `the version of next-auth is not known: taken for ${former}`,
    why: "install the packages, or give a version in package.json; then run the command again",
  };
}

function textsOf({ project, texts }: Progress): ReadonlyMap<string, string> {
  const sources = project.getSourceFiles().map((file): [string, string] => [file.getFilePath(), file.getFullText()]);
  return new Map([...texts, ...sources]);
}

/** Files that began with a byte order mark keep it; the parser removes it. */
function withMarks(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const isMarked = (path: string, text: string) =>
    before.get(path)?.startsWith(MARK) === true && !text.startsWith(MARK);
  return new Map([...after].map(([path, text]) => [path, isMarked(path, text) ? MARK + text : text]));
}

function changesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlyMap<string, string | null> {
  const changed = [...after].filter(([path, text]) => before.get(path) !== text);
  const removed = [...before.keys()].filter((path) => !after.has(path)).map((path): [string, null] => [path, null]);
  return new Map<string, string | null>([...changed, ...removed]);
}

function reportOf(notes: readonly Note[], texts: ReadonlyMap<string, string>): readonly ReportLine[] {
  const lines = notes.map(({ path, at, ...note }) => {
    const text = at === undefined ? undefined : texts.get(path)?.slice(0, at);
    return { ...note, file: path.slice(1), line: text?.split("\n").length };
  });
  const isRepeated = (line: ReportLine, index: number) =>
    lines.findIndex((other) => JSON.stringify(other) === JSON.stringify(line)) < index;
  const once = lines.filter((line, index) => !isRepeated(line, index));
  return once.sort((a, b) => a.file.localeCompare(b.file, "en") || (a.line ?? 0) - (b.line ?? 0));
}
