// The built site in docs/dist/: every internal link and anchor leads somewhere, the place that each error message names is
// there, and nothing that a page loads comes from elsewhere. Links to other sites are not followed.
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { runAsScript } from "./report-problems.mjs";
import { listFiles } from "./source-files.mjs";

const dist = "docs/dist";

/** Problems of the site built below `root`, as `page what is wrong`. */
export function checkSite(root) {
  const files = listFiles(root, dist);
  if (files.length === 0) return [`${dist} is not there: pnpm docs:build`];
  const pages = new Map(files.filter((path) => path.endsWith(".html")).map((path) => [path, readPage(root, path)]));
  return [
    ...oncePerProblem([...pages].flatMap(([path, page]) => checkLinks(path, page, { root, pages }))),
    ...[...pages].flatMap(([path, page]) => checkResources(path, page.html)),
    ...files.filter((path) => path.endsWith(".css")).flatMap((path) => checkStyle(root, path)),
    ...checkErrors(root, pages.get(`${dist}/errors.html`)),
  ];
}

function readPage(root, path) {
  const html = readFileSync(join(root, path), "utf8");
  return { html, ids: new Set(attributes(html, "id")) };
}

/** What is wrong with the menu is wrong on every page: it is said once. */
function oncePerProblem(found) {
  const first = new Map(found.toReversed().map(({ path, problem }) => [problem, path]));
  return [...first].reverse().map(([problem, path]) => `${path} ${problem}`);
}

function checkLinks(path, { html }, site) {
  const links = [...html.matchAll(/<a\b[^>]*>/g)].flatMap(([tag]) => attributes(tag, "href"));
  const problems = links.map((href) => problemOf(path, href, site)).filter((problem) => problem !== undefined);
  return problems.map((problem) => ({ path, problem }));
}

function problemOf(path, href, { root, pages }) {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)) return undefined;
  const [, file, hash] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(href);
  const target = file === "" ? path : fileAt(path, decodeURI(file));
  const page = pages.get(target);
  if (page === undefined) return existsSync(join(root, target)) ? undefined : `links to ${href}, which is not there`;
  const isThere = hash === undefined || hash === "" || page.ids.has(decodeURIComponent(hash));
  return isThere ? undefined : `links to ${href}, which has no such place`;
}

/** The file behind the path of a URL. */
function fileAt(page, path) {
  const target = path.startsWith("/") ? posix.join(dist, path) : posix.join(posix.dirname(page), path);
  return target.endsWith("/") ? `${target}index.html` : target;
}

function checkResources(path, html) {
  const tags = [...html.matchAll(/<(?:script|img|iframe|link|source|video|audio)\b[^>]*>/g)].map(([tag]) => tag);
  const urls = tags.flatMap((tag) => [...attributes(tag, "src"), ...attributes(tag, "href")]);
  return urls.filter((url) => /^(?:https?:)?\/\//.test(url)).map((url) => `${path} loads ${url} from elsewhere`);
}

function checkStyle(root, path) {
  const found = [
    ...readFileSync(join(root, path), "utf8").matchAll(/(?:url\(|@import)\s*["']?((?:https?:)?\/\/[^"')\s]+)/g),
  ];
  return found.map(([, url]) => `${path} loads ${url} from elsewhere`);
}

/** Messages of errors end with `docs/errors.md#type`; the headings of that document are the types. */
function checkErrors(root, page) {
  const headings = [...readFileSync(join(root, "docs/errors.md"), "utf8").matchAll(/^## (\w+)$/gm)];
  const missing = headings.filter(([, type]) => page?.ids.has(type.toLowerCase()) !== true);
  return missing.map(([, type]) => `${dist}/errors.html has no place #${type.toLowerCase()}, which errors name`);
}

function attributes(html, name) {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value]) => value.replaceAll("&amp;", "&"));
}

await runAsScript(import.meta, checkSite);
