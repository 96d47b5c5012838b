// Checks that every relative link in a document leads to an existing file and heading of this repository.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { runAsScript } from "./report-problems.mjs";

/** Problems of all Markdown files that git tracks below `root`. */
export function checkLinks(root) {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: root,
    encoding: "utf8",
  });
  const paths = listed.split("\n").filter((path) => path !== "" && !path.includes("[") && existsSync(join(root, path)));
  const anchors = new Map(paths.map((path) => [path, anchorsOf(readFileSync(join(root, path), "utf8"))]));
  return paths.flatMap((path) => {
    return linksOf(readFileSync(join(root, path), "utf8")).flatMap(({ line, href }) => {
      const problem = problemOf(root, path, href, anchors);
      return problem ? [`${path}:${line} ${problem}`] : [];
    });
  });
}

function problemOf(root, from, href, anchors) {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(href)) return undefined;
  const [path, anchor] = href.split("#");
  const target = path === "" ? from : posix.normalize(posix.join(posix.dirname(from), decodeURI(path)));
  if (!existsSync(join(root, target)) && target !== from) return `links to ${href}, which is not there`;
  const known = anchors.get(target);
  if (anchor === undefined || known === undefined || known.has(decodeURI(anchor))) return undefined;
  return `links to ${href}: there is no such heading`;
}

/** Links outside code: `{ line, href }`. */
function linksOf(text) {
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode) return [];
    return [...line.replace(/`[^`]*`/g, "").matchAll(/\]\(([^()\s]+)\)/g)].map(([, href]) => ({
      line: index + 1,
      href,
    }));
  });
}

/** The anchors of a document: its headings, as GitHub converts them, and explicit ids. */
function anchorsOf(text) {
  const seen = new Map();
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  const ids = [...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id]) => id);
  return new Set([...headings, ...ids]);
}

await runAsScript(import.meta, checkLinks);
