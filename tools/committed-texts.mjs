// Texts that are made from the tree and committed, so that a change of what they describe is a line in a diff.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** How many lines of a difference are shown: the rest is seen with `git diff` once the text is written. */
const maxLines = 40;

/** Problems where a committed text differs from what it should be; undefined is a text that should not be there. */
export function compareTexts(root, texts, remedy) {
  return Object.entries(texts).flatMap(([path, text]) => {
    const committed = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
    return committed === text ? [] : [describeDifference(path, committed, text, remedy)];
  });
}

/** Writes the texts, and removes those that are undefined. */
export function writeTexts(root, texts) {
  for (const [path, text] of Object.entries(texts)) {
    if (text === undefined) {
      rmSync(join(root, path), { force: true });
      continue;
    }
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function describeDifference(path, committed, text, remedy) {
  if (committed === undefined) return `${path}:1 is missing: ${remedy}`;
  if (text === undefined) return `${path}:1 describes what is not there any more: ${remedy}`;
  const [before, after] = [committed.split("\n"), text.split("\n")];
  const gone = without(before, after).map((line) => `  - ${line}`);
  const come = without(after, before).map((line) => `  + ${line}`);
  const lines = [...gone, ...come];
  const rest = lines.length > maxLines ? [`  … and ${lines.length - maxLines} more lines`] : [];
  // The same lines in another order differ too, and there is nothing to list.
  return [`${path}:1 is out of date: ${remedy}`, ...lines.slice(0, maxLines), ...rest].join("\n");
}

/** The lines of one text that the other has not, or has fewer times. */
function without(lines, others) {
  const left = new Map();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
