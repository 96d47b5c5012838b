// llms.txt and llms-full.txt (https://llmstxt.org): the pages of the menu, for programs. Links are relative, as the site has no fixed address.
import { COMMON_MISTAKES } from "../../tools/package-pages.mjs";
import { describePage } from "./markdown-page.mjs";
import { sidebar } from "./sidebar.mjs";

const INTRODUCTION = `The interface is that of Auth.js v5: option names, provider objects, callbacks, endpoints and environment variables. Packages are
\`@cardea/core\` and one for each framework, provider, database and extension. \`npx @cardea/cli init\` starts an application, \`npx @cardea/cli adopt\`
moves one from Auth.js, \`npx @cardea/cli doctor --json\` checks the result.`;

/** The pages in the order of the menu; those of its closed sections can be skipped: `[{ section, isOptional, text, page }]`. */
const entries = sidebar.flatMap(({ text: section, collapsed = false, items }) =>
  items.map(({ text, link }) => ({ section, isOptional: collapsed, text, page: pageOf(link) })),
);

function pageOf(link) {
  return `${link.slice(1)}${link.endsWith("/") ? "index" : ""}.md`;
}

/**
 * @param pages path of each page that is there → its text as Markdown.
 */
export function writeLlms(pages) {
  const { title, description } = describePage(pages.get("index.md"));
  const mistakes = COMMON_MISTAKES.map(([text, page]) => `- ${text} ([${page}](./${page}.md))`);
  const listed = entries.filter(({ page }) => pages.has(page));
  const names = new Set(listed.map(nameOf));
  const sections = [...names].map((name) => [name, listed.filter((one) => nameOf(one) === name)]);
  const lists = sections.map(
    ([section, list]) => `## ${section}\n\n${list.map((one) => lineOf(one, pages)).join("\n")}`,
  );
  return `${[`# ${title}`, `> ${description}`, INTRODUCTION, mistakes.join("\n"), ...lists].join("\n\n")}\n`;
}

/** The name that says that the section can be skipped. */
const nameOf = ({ section, isOptional }) => (isOptional ? "Optional" : section);

function lineOf({ text, page, isOptional }, pages) {
  const { description } = describePage(pages.get(page));
  return `- [${text}](./${page})${isOptional || description === "" ? "" : `: ${description}`}`;
}

/** Every page of the guide in one text, in the order of the menu, without those that can be skipped and the reference of the API. */
export function writeLlmsFull(pages) {
  const guide = entries.filter(({ page, isOptional }) => !isOptional && pages.has(page) && !page.startsWith("api/"));
  return guide.map(({ page }) => `---\nurl: ./${page}\n---\n\n${pages.get(page).trim()}\n`).join("\n");
}
