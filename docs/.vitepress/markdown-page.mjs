// A page of the site as Markdown, for programs that read instead of render: on the site beside each page, in @cardea/core as its guide.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { documentOf, repository, resolveLink } from "./resolve-link.mjs";

const root = join(import.meta.dirname, "../..");

/**
 * The text of a page without comments. Links to pages in `pages` are relative, so that they work below any base path and in a folder;
 * others lead to the repository.
 *
 * @param page its path on the site, such as `packages/core.md`.
 * @param pages paths of the pages that lie beside it.
 */
export function readMarkdownPage(page, pages) {
  const text = readFileSync(join(root, documentOf(page)), "utf8");
  // The reference is written for its own place, docs/api/.
  const relink = page.startsWith("api/") ? (href) => href : (href) => relinked(page, href, pages);
  return withoutComments(text)
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : relinkText(part, relink)))
    .join("");
}

/** Comments have code for the compiler and words for the search. */
const withoutComments = (text) => text.replace(/^<!--[\s\S]*?-->\n+/gm, "");

function relinkText(text, relink) {
  return text
    .split(/(`[^`\n]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/\]\(([^()\s]+)\)/g, (_, href) => `](${relink(href)})`),
    )
    .join("");
}

function relinked(page, href, pages) {
  const { href: target, file } = resolveLink(page, href);
  if (file !== undefined) return `${repository}/blob/main/${file}`;
  if (!target.startsWith("/")) return target;
  const [, path, rest] = /^\/([^?#]*)(.*)$/.exec(target);
  if (!pages.has(path)) return `${repository}/blob/main/${documentOf(path)}${rest}`;
  const relative = posix.relative(posix.dirname(page), path);
  return `${relative.startsWith(".") ? "" : "./"}${relative}${rest}`;
}

/** The title and the first sentence of a page: `{ title, description }`. */
export function describePage(text) {
  const [, title = ""] = /^# (.+)$/m.exec(text) ?? [];
  const paragraphs = text
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replace(/^<!--[\s\S]*?-->$/gm, "")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim());
  const first = paragraphs.find((paragraph) => /^[^#|`<>\-\s]|^`@/.test(paragraph)) ?? "";
  const plain = first.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\s+/g, " ");
  const [sentence] = /^.*?[.?!](?=\s+[A-Z“"`]|$)/.exec(plain) ?? [plain];
  return { title: title.replaceAll("`", ""), description: sentence.replace(/:$/, ".") };
}
