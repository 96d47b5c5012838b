// Where a link of a document leads on the site. Documents link to each other, and to files of the repository, by their paths
// in the repository, so that the links work there; on the site some documents have another place, and files have none.
import { readFileSync } from "node:fs";
import { posix } from "node:path";

const { homepage } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The address of the repository. */
export const repository = homepage.replace(/\/blob\/.*$/, "");

/** Documents of the repository that are pages of the site: path of the document → path of the page. */
const pages = [
  [/^docs\/(.+\.md)$/, "$1"],
  [/^(packages|examples)\/([^/]+)\/README\.md$/, "$1/$2.md"],
  [/^(decisions\/[^/]+\.md)$/, "$1"],
  [/^SECURITY\.md$/, "promises.md"],
  [/^tests\/bench\/README\.md$/, "benchmarks.md"],
];

/** Documents by their page, the other way round. */
const documents = [
  [/^((?:packages|examples)\/[^/]+)\.md$/, "$1/README.md"],
  [/^(decisions\/[^/]+\.md)$/, "$1"],
  [/^promises\.md$/, "SECURITY.md"],
  [/^benchmarks\.md$/, "tests/bench/README.md"],
  [/^(.+)$/, "docs/$1"],
];

/** The document behind a page of the site, both as paths with `/` from the root. */
export function documentOf(page) {
  return rename(documents, page);
}

/**
 * What a link becomes: `{ href }` on the site, or `{ file }` where it leads to a file of the repository that is no page.
 *
 * @param page path of the page that the link is on.
 * @param href as it is written.
 */
export function resolveLink(page, href) {
  const [, path, rest] = /^([^?#]*)(.*)$/.exec(href);
  if (path === "" || /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(path)) return { href };
  const target = posix.normalize(posix.join(posix.dirname(documentOf(page)), decodeURI(path)));
  const targetPage = rename(pages, target);
  if (targetPage === undefined) return { file: target };
  return { href: `/${targetPage}${rest}` };
}

function rename(table, path) {
  const row = table.find(([pattern]) => pattern.test(path));
  return row && path.replace(...row);
}
