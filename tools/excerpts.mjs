// Excerpts of source files in documents: a TypeScript block after a line such as
//
//     From [`http/handle-request.ts`](../packages/core/src/http/handle-request.ts):
//
// Its lines are those of the file, without their common indentation; a line `// …` stands for code that was left out. check-links.mjs
// checks that, and check-snippets.mjs compiles all other blocks.
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const EXCERPT = /^From \[[^\]\n]+\]\((?<href>[^)\s]+)\):\n\n```tsx?\n(?<code>[\s\S]*?)^```$/gm;

/** A document without its excerpts, with the same lines. */
export function withoutExcerpts(text) {
  return text.replace(EXCERPT, (excerpt) => excerpt.replace(/[^\n]/g, ""));
}

/** Problems of the excerpts of a document, as `docs/tour.md:12 what is wrong`. A link to no file is reported as a link. */
export function findExcerptProblems(root, { path, text }) {
  return [...text.matchAll(EXCERPT)].flatMap((match) => {
    const { href, code } = match.groups;
    const source = posix.join(posix.dirname(path), href);
    if (!existsSync(join(root, source))) return [];
    const missing = findMissing(readFileSync(join(root, source), "utf8").split("\n"), code);
    if (missing === undefined) return [];
    const line = text.slice(0, match.index).split("\n").length + 3;
    return [
      `${path}:${line} ${source} no longer contains this excerpt, from "${missing}": copy the code again, and read whether the text beside it still holds`,
    ];
  });
}

/** The first line of an excerpt that is not where it must be in its file. */
function findMissing(source, code) {
  let from = 0;
  for (const part of partsOf(code)) {
    const starts = source.map((_, index) => index).slice(from);
    const best = starts.map((start) => ({ start, same: countSame(source, start, part) }));
    const found = best.find(({ same }) => same === part.length);
    if (found === undefined) return part[Math.max(0, ...best.map(({ same }) => same))].trim();
    from = found.start + part.length;
  }
  return undefined;
}

/** The parts of an excerpt between lines that stand for code that was left out. */
function partsOf(code) {
  const parts = code.split(/^[ \t]*\/\/ …\n/m);
  return parts.map((part) => part.replace(/\n$/, "").split("\n")).filter((part) => part.join("") !== "");
}

/** How many lines of a part a file has from a line on, all with the same further indentation. */
function countSame(source, start, part) {
  const indent = source[start].slice(0, Math.max(0, source[start].length - part[0].length));
  if (indent.trim() !== "") return 0;
  const different = part.findIndex((line, index) => source[start + index] !== (line === "" ? "" : indent + line));
  return different === -1 ? part.length : different;
}
