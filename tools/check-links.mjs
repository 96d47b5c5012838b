// Checks that every relative link in a document leads to an existing file and heading of this repository, and that excerpts of a linked
// file (excerpts.mjs) are in it.
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { findExcerptProblems } from "./excerpts.mjs";
import { runAsScript } from "./report-problems.mjs";
import { trackedFiles } from "./source-files.mjs";

function checkLinks(root) {
  const paths = trackedFiles(root, "*.md").filter((path) => !path.includes("["));
  const documents = paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  const texts = new Map(documents.map(({ path, text }) => [path, withoutBlocks(text)]));
  const anchors = new Map(paths.map((path) => [path, anchorsOf(texts.get(path))]));
  const wrong = paths.flatMap((path) => {
    const lines = texts
      .get(path)
      .replace(/`[^`\n]*`/g, "")
      .split("\n");
    return lines.flatMap((line, index) =>
      [...line.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, href]) => {
        const problem = problemOf(root, path, decodeURI(href), anchors);
        return problem ? [`${path}:${index + 1} links to ${href}: ${problem}`] : [];
      }),
    );
  });
  return [...wrong, ...documents.flatMap((document) => findExcerptProblems(root, document))];
}

/** A document without blocks of code, with the same lines. */
function withoutBlocks(text) {
  return text.replace(/^\s*(```|~~~)[\s\S]*?^\s*\1/gm, (block) => block.replace(/[^\n]/g, ""));
}

function problemOf(root, from, href, anchors) {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(href)) return undefined;
  const [path, anchor] = href.split("#");
  const target = path === "" ? from : posix.join(posix.dirname(from), path);
  if (!existsSync(join(root, target))) return "there is no such file";
  const isKnown = anchor === undefined || (anchors.get(target)?.has(anchor) ?? true);
  return isKnown ? undefined : "there is no such heading";
}

/** The anchors of a document: its headings, as GitHub converts them, and explicit ids. */
function anchorsOf(text) {
  const seen = new Map();
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const plain = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set([...headings, ...[...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id]) => id)]);
}

await runAsScript(import.meta, checkLinks);
