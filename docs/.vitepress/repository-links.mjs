// A plugin for markdown-it: links become those of the site (resolve-link.mjs); a link to a file of the repository, which
// has no page, becomes its text.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { resolveLink } from "./resolve-link.mjs";

const root = join(import.meta.dirname, "../..");

/** @throws Error where a link leads to a file that the repository does not have. */
export function repositoryLinks(md) {
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    // The reference is written for its own place, docs/api/.
    if (env.relativePath.startsWith("api/")) return;
    for (const { children } of tokens) rewriteLinks(children ?? [], env.relativePath);
  });
}

function rewriteLinks(tokens, page) {
  const open = [];
  for (const token of tokens) {
    if (token.type === "link_open") open.push(rewriteLink(token, page));
    else if (token.type === "link_close" && open.pop() === "file") becomeSpan(token);
  }
}

/** Whether it is a link of the site afterwards, or the text of a `file`. */
function rewriteLink(token, page) {
  const href = token.attrGet("href");
  const { href: target, file } = resolveLink(page, href);
  if (file === undefined) {
    token.attrSet("href", target);
    return "link";
  }
  if (!existsSync(join(root, file))) throw new Error(`${page}: the link ${href} leads to no file`);
  becomeSpan(token);
  token.attrs = [["title", `${file} in the repository`]];
  return "file";
}

function becomeSpan(token) {
  token.type = token.nesting === 1 ? "file_open" : "file_close";
  token.tag = "span";
}
