// Checks the built documentation site, docs/dist: whatever the base path, no link leaves it and each leads somewhere. Build it first,
// with the base path that this check expects: `pnpm --filter docs site --base /any/base/`.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { argv } from "node:process";
import { runAsScript } from "./report-problems.mjs";

const SITE = "https://site.invalid";
const BASE = argv.find((argument) => argument.startsWith("/") && argument.endsWith("/")) ?? "/";

function checkSite(root) {
  const folder = join(root, "docs/dist");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => posix.relative(folder, posix.join(parentPath, name)));
  const known = new Set(files);
  const read = (file) => readFileSync(join(folder, file), "utf8");
  const pages = files.filter((file) => file.endsWith(".html"));
  const alone = pages.filter((file) => file !== "404.html" && !known.has(file.replace(/\.html$/, ".md")));
  const texts = files.filter((file) => /\.(?:html|md)$|^llms.*\.txt$/.test(file));
  const ids = new Map(pages.map((file) => [file, new Set(idsOf(read(file)))]));
  return {
    problems: [
      ...alone.map((file) => `docs/dist/${file}:1 has no Markdown beside it`),
      ...["llms.txt", "llms-full.txt"]
        .filter((file) => !known.has(file))
        .map((file) => `docs/dist/${file}:1 is missing`),
      ...texts.flatMap((file) => problemsOf(file, read(file), { known, ids })),
    ],
    notes: [`${pages.length} pages, ${texts.length - pages.length} texts below ${BASE}`],
  };
}

function problemsOf(file, text, { known, ids }) {
  const links = new Set(file.endsWith(".html") ? linksOfHtml(text) : linksOfMarkdown(text));
  return [...links].flatMap((link) => {
    const target = targetOf(file, link);
    if (target === undefined) return [];
    if (target === null) return [`docs/dist/${file}:1 leaves the base path: ${link}`];
    const [path, anchor] = target;
    const isThere = known.has(path) && (anchor === "" || (ids.get(path)?.has(anchor) ?? true));
    return isThere ? [] : [`docs/dist/${file}:1 leads nowhere: ${link}`];
  });
}

const idsOf = (text) => Array.from(text.matchAll(/ (?:id|name)="([^"]+)"/g), ([, id]) => id);

const linksOfHtml = (text) =>
  [...text.matchAll(/<[a-z][^>]*?\s(?:href|src|action|poster)="([^"]*)"/g)].map(([, link]) =>
    link.replaceAll("&amp;", "&"),
  );

function linksOfMarkdown(text) {
  const plain = text.replace(/^\s*(```|~~~)[\s\S]*?^\s*\1/gm, "").replace(/`[^`\n]*`/g, "");
  return [...plain.matchAll(/\]\(([^()\s]+)\)/g)].map(([, link]) => link);
}

/** The file and the anchor that a link leads to; undefined for another site, null outside of the base path. */
function targetOf(file, link) {
  const { origin, pathname, hash } = new URL(link, `${SITE}${BASE}${file}`);
  if (origin !== SITE) return undefined;
  if (!pathname.startsWith(BASE)) return null;
  const path = decodeURI(pathname.slice(BASE.length));
  return [path === "" || path.endsWith("/") ? `${path}index.html` : path, decodeURIComponent(hash.slice(1))];
}

await runAsScript(import.meta, checkSite);
