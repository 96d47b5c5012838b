import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig } from "vitepress";
import { features, hero, landing, terminal } from "./landing.mjs";
import { writeLlms, writeLlmsFull } from "./llms.mjs";
import { describePage, readMarkdownPage } from "./markdown-page.mjs";
import { repositoryLinks } from "./repository-links.mjs";
import { documentOf, repository } from "./resolve-link.mjs";
import { searchOptions, slugify } from "./search.mjs";
import { isReleased, nav, sidebar } from "./sidebar.mjs";
import { tabScript, tabStyles, tabs } from "./tabs.mjs";

// The base path is an argument: `vitepress build --base /cardea/`.
export default defineConfig({
  title: "Cardea",
  description: "Authentication for TypeScript web applications",
  lang: "en",
  head: [
    ["meta", { name: "referrer", content: "no-referrer" }],
    ["style", {}, tabStyles()],
    ["script", {}, tabScript],
  ],
  // Addresses on the reader's own machine.
  ignoreDeadLinks: "localhostLinks",
  cacheDir: ".vitepress/cache",
  outDir: "dist",
  markdown: {
    config: (md) => {
      repositoryLinks(md);
      landing(md);
      tabs(md);
    },
    anchor: { slugify },
    // Comments are as dark as text must be on the ground of a block.
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
  },
  // One chunk holds the text of the reference; it is loaded by who reads it.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    logo: "/logo.svg",
    search: { provider: "local", options: searchOptions },
    outline: [2, 3],
    nav,
    sidebar,
    socialLinks: [{ icon: "github", link: repository }],
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
    footer: { message: "Released under the ISC License." },
  },
  transformPageData,
  transformHead: ({ pageData, siteData: { base } }) => [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${base}logo.svg` }],
    ...(pageData.isNotFound
      ? []
      : [["link", { rel: "alternate", type: "text/markdown", href: `${base}${pageData.relativePath}` }]]),
  ],
  buildEnd: writeForMachines,
});

/** Pages of the menu, which have a page before and after them. */
const listed = new Set(sidebar.flatMap(({ items }) => items.map(({ link }) => link)));

function transformPageData({ relativePath, frontmatter }) {
  if (relativePath === "404.md") return undefined;
  const { description } = describePage(readMarkdownPage(relativePath, new Set()));
  const isListed = listed.has(`/${relativePath.replace(/(?:(?<=\/)index)?\.md$/, "")}`);
  return {
    description,
    // Of the edit link.
    filePath: documentOf(relativePath),
    frontmatter: {
      ...frontmatter,
      ...(relativePath === "index.md" ? { layout: "home", hero, features, terminal, isPreRelease: !isReleased } : {}),
      ...(relativePath.startsWith("api/") ? { editLink: false } : {}),
      ...(isListed ? {} : { prev: false, next: false }),
    },
  };
}

/** Each page as Markdown beside it, llms.txt, llms-full.txt, and the skill. */
function writeForMachines({ pages, outDir }) {
  const paths = new Set(pages);
  const texts = new Map(pages.map((page) => [page, readMarkdownPage(page, paths)]));
  const files = new Map([
    ...texts,
    ["llms.txt", writeLlms(texts)],
    ["llms-full.txt", writeLlmsFull(texts)],
    ["skills/cardea/SKILL.md", readFileSync(join(import.meta.dirname, "../../skills/cardea/SKILL.md"), "utf8")],
  ]);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(outDir, path)), { recursive: true });
    writeFileSync(join(outDir, path), text);
  }
}
