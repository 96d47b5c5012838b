// Files that are generated from the tree and committed, so that a change of what they describe shows up in a diff.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Problems of committed files that differ from their generated text; undefined means that the file must not exist. */
export function compareTexts(root, texts, remedy) {
  return Object.entries(texts).flatMap(([path, text]) => {
    const committed = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
    if (committed === text) return [];
    const lines = (text ?? "").split("\n").filter((line) => !committed?.split("\n").includes(line));
    return [`${path}:1 is out of date: ${remedy}`, ...lines.slice(0, 20).map((line) => `  + ${line}`)].join("\n");
  });
}

/** Writes the files, and removes those whose text is undefined. */
export function writeTexts(root, texts) {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (text === undefined) rmSync(join(root, path), { force: true });
    else writeFileSync(join(root, path), text);
  }
}
