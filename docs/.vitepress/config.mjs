import { defineConfig } from "vitepress";
import { repositoryLinks } from "./repository-links.mjs";
import { searchOptions, slugify } from "./search.mjs";
import { nav, sidebar } from "./sidebar.mjs";

export default defineConfig({
  title: "Cardea",
  description: "Authentication for TypeScript web applications",
  lang: "en",
  head: [["meta", { name: "referrer", content: "no-referrer" }]],
  // Addresses on the reader's own machine.
  ignoreDeadLinks: "localhostLinks",
  cacheDir: ".vitepress/cache",
  outDir: "dist",
  markdown: { config: repositoryLinks, anchor: { slugify } },
  // One chunk holds the text of the reference; it is loaded by who reads it.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: "local", options: searchOptions },
    outline: [2, 3],
    nav,
    sidebar,
    docFooter: { prev: false, next: false },
  },
});
