import type { Host } from "../host.ts";

type Adoption = Exclude<ReturnType<typeof import("../adopt/adopt.ts").adopt>, { refused: string }>;

/** What needs a hand comes first. */
const PARTS = [
  ["left", "Requires a manual edit"],
  ["look", "Works, but needs review"],
  ["changed", "Changed"],
] as const;

/** Longer parts that need no hand are summarized. */
const MAX_LINES = 20;

/** How much is printed. */
interface Detail {
  readonly isDry: boolean;
  /** Whether every line is printed. */
  readonly isVerbose: boolean;
}

/** Prints the report of a migration: every place that needs a hand, and the rest in full if it is short. */
export function printReport(host: Host, adoption: Adoption, { isDry, isVerbose }: Detail): void {
  const { report, added, removed, files } = adoption;
  const isUnchanged = files.size + added.length + removed.length === 0;
  if (isUnchanged && report.length === 0) {
    host.write("Nothing to migrate: this application does not use Auth.js or NextAuth.");
    return;
  }
  for (const [kind, title] of PARTS) {
    const own = report.filter((line) => line.kind === kind);
    if (own.length === 0) continue;
    host.write(`${title} (${own.length})`);
    const found = groups(own);
    const isFolded = kind !== "left" && !isVerbose && found.length > MAX_LINES;
    for (const line of isFolded ? summaryOf(found) : found.map(inFull)) host.write(line);
    if (isFolded) host.write("  --verbose lists every place.");
    host.write("");
  }
  if (removed.length > 0) host.write(`Packages removed: ${removed.join(", ")}`);
  if (added.length > 0) host.write(`Packages added:   ${added.join(", ")}`);
  // The undo removes untracked files, which are the developer's own where nothing was written.
  const isWritten = !isDry && !isUnchanged;
  host.write(
    isWritten ? "To undo: git restore . && git clean -fd, then install the packages again." : "Nothing was written.",
  );
}

/** Places of one file for which the report says the same. */
interface Group {
  readonly place: string;
  readonly what: string;
  readonly why: string | undefined;
}

const reason = (why: string | undefined) => (why === undefined ? "" : `\n      ${why}`);

function inFull({ place, what, why }: Group): string {
  return `  ${place}  ${what}${reason(why)}`;
}

/** One line for each thing that the report says, with its first place. */
function summaryOf(found: readonly Group[]): readonly string[] {
  const same = new Map<string, Group[]>();
  for (const group of found) {
    const key = JSON.stringify([group.what, group.why]);
    same.set(key, [...(same.get(key) ?? []), group]);
  }
  return [...same.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` and ${others.length} more ${others.length === 1 ? "file" : "files"}`;
    return [`  ${first.place}${more}  ${first.what}${reason(first.why)}`];
  });
}

/** Lines of a file that say the same are one line of the output: `auth.ts:3, 14, 15`. */
function groups(lines: Adoption["report"]): readonly Group[] {
  const found = new Map<string, Group>();
  for (const { file, line, what, why } of lines) {
    const key = JSON.stringify([file, line === undefined, what, why]);
    const before = found.get(key);
    const next = line === undefined ? "" : `${before === undefined ? ":" : ", "}${line}`;
    found.set(key, { place: (before?.place ?? file) + next, what, why });
  }
  return [...found.values()];
}
