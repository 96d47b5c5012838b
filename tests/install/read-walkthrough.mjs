// A walk through a document, as its own words say: the files and commands of one section, in order.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");

/** The first line of a block that is a file: `// app.js`, `# .env`. */
const fileName = /^(?:\/\/|#) ([\w./[\]-]+)$/;
/** How a section names its folder: files are below it. */
const folderName = /empty folder `(\w+)`/;

/**
 * The steps of the section below `heading`: `{ file, text }` for a block whose first line names it, `{ command }` for each line of an
 * `sh` block. `text` is the whole section, for what is said between the blocks.
 */
export function readWalkthrough(path, heading) {
  const section = readSection(readFileSync(join(repository, path), "utf8"), heading);
  if (section === undefined) throw new Error(`${path} has no section “${heading}”`);
  const [, folder] = folderName.exec(section) ?? [];
  const steps = [...section.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].flatMap(([, language, code]) => {
    if (language === "sh")
      return code
        .trim()
        .split("\n")
        .map((command) => ({ command }));
    const [, file] = fileName.exec(code.split("\n")[0]) ?? [];
    return file === undefined ? [] : [{ file: file.replace(`${folder}/`, ""), text: code }];
  });
  return { text: section, steps };
}

/** The code of the `ts` blocks of a document that stand for themselves: no hidden lines before them, no other block imported. */
export function readExamples(path) {
  const text = readFileSync(join(repository, path), "utf8");
  const blocks = [...text.matchAll(/(?<hidden>-->\n+)?^```ts\n(?<code>[\s\S]*?)^```$/gm)].map(({ groups }) => groups);
  return blocks
    .filter(({ hidden, code }) => hidden === undefined && !code.includes('from "./'))
    .map(({ code }) => code);
}

function readSection(text, heading) {
  const start = text.indexOf(`\n## ${heading}\n`);
  if (start === -1) return undefined;
  const end = text.indexOf("\n## ", start + 1);
  return text.slice(start, end === -1 ? undefined : end);
}
