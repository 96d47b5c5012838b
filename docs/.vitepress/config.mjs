import { defineConfig } from "vitepress";
import { repositoryLinks } from "./repository-links.mjs";
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
  // Anchors as hosts of repositories make them: a link to a heading works in the repository and here.
  markdown: { config: repositoryLinks, anchor: { slugify } },
  // One chunk holds the text of the reference; it is loaded by who reads it.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav,
    sidebar,
    docFooter: { prev: false, next: false },
  },
});

function slugify(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
