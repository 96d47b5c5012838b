// Blocks of which a reader needs one, as the site renders them.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { inWordsOf } from "../../docs/.vitepress/package-managers.mjs";
import { tabScript, tabStyles, tabs } from "../../docs/.vitepress/tabs.mjs";

const docs = join(import.meta.dirname, "../../docs");

let render;
beforeAll(async () => {
  const path = createRequire(join(docs, "package.json")).resolve("vitepress");
  const { createMarkdownRenderer } = await import(pathToFileURL(path).href);
  const md = await createMarkdownRenderer(docs, { config: tabs, highlight: (code) => `<pre>${code}</pre>` });
  render = (text, relativePath = "page.md") => md.render(text, { relativePath, path: join(docs, relativePath) });
});

const choicesOf = (html) => Array.from(html.matchAll(/<button [^>]*data-choice="(\w+)"/g), ([, choice]) => choice);
const panelOf = (html, choice) =>
  new RegExp(`<div role="tabpanel" id="panel-\\d+-${choice}"[^>]*>([\\s\\S]*?)(?=<div role="tabpanel"|$)`).exec(
    html,
  )?.[1];

describe("inWordsOf()", () => {
  it.each([
    ["npm install express @cardea/express", "pnpm add express @cardea/express", "yarn add express @cardea/express"],
    ["npm install --save-dev prisma", "pnpm add --save-dev prisma", "yarn add --dev prisma"],
    ["npm install", "pnpm install", "yarn install"],
    ["npm run dev", "pnpm run dev", "yarn run dev"],
    ["npx prisma generate", "pnpm exec prisma generate", "yarn prisma generate"],
    ["npx --yes @cardea/cli doctor", "pnpm dlx @cardea/cli doctor", "yarn dlx @cardea/cli doctor"],
    ["npm init --yes && npm pkg set type=module", undefined, undefined],
    ["openssl rand -base64 32", undefined, undefined],
  ])("translates: %s", (npm, pnpm = npm, yarn = npm) => {
    expect(inWordsOf("npm", npm)).toBe(npm);
    expect(inWordsOf("pnpm", npm)).toBe(pnpm);
    expect(inWordsOf("yarn", npm)).toBe(yarn);
  });
});

describe("tabs()", () => {
  it("shows commands in the words of each package manager, npm first", () => {
    const html = render("```sh\nnpm install jose\nnode app.js\n```\n");
    expect(choicesOf(html)).toEqual(["npm", "pnpm", "yarn", "bun"]);
    expect(panelOf(html, "npm")).toContain("npm install jose\nnode app.js");
    expect(panelOf(html, "bun")).toContain("bun add jose\nnode app.js");
    expect(html.match(/aria-selected="true"/g)).toHaveLength(1);
  });

  it("leaves commands alone that are the same everywhere", () => {
    expect(render("```sh\nnode app.js\n```\n")).not.toContain("tab");
    expect(render("```ts\nnpm install\n```\n")).not.toContain("tab");
  });

  it("makes a tab of each label between the marks, and of nothing outside", () => {
    const html = render(
      "**Hono**\n\n<!-- tabs: framework -->\n\n**Next.js**\n\nOne.\n\n**Express**\n\n```sh\nnpm install two\n```\n\n<!-- /tabs -->\n\nAfter.\n",
    );
    expect(choicesOf(html)).toEqual(["next", "express", "npm", "pnpm", "yarn", "bun"]);
    expect(panelOf(html, "next")).toContain("<p>One.</p>");
    expect(panelOf(html, "next")).not.toContain("Next.js");
    expect(html).toMatch(/^<p><strong>Hono/);
    expect(html).toMatch(/<p>After\.<\/p>\s*$/);
    expect(html.match(/<div/g)?.length).toBe(html.match(/<\/div>/g)?.length);
  });

  it("rejects a label that is no framework", () => {
    expect(() => render("<!-- tabs: framework -->\n\n**Rails**\n\nOne.\n\n<!-- /tabs -->\n")).toThrow("Rails");
  });

  it("takes the set-up of each framework from the README of its package, with ids that are unique on the page", () => {
    const html = render("<!-- tabs: set-up -->\n", "index.md");
    expect(panelOf(html, "next")).toContain("panel-");
    for (const name of ["next", "express", "hono", "fastify", "sveltekit", "h3", "core"])
      expect(html).toContain(`npm install @cardea/${name}`);
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("tabStyles()", () => {
  it("shows the panel that the script has remembered", () => {
    for (const kind of ["manager", "framework"]) expect(tabScript).toContain(JSON.stringify(kind));
    expect(tabStyles()).toContain(
      '[data-manager="pnpm"] .tabs[data-kind="manager"]:has(> [data-choice="pnpm"]) > [data-choice="pnpm"] { display: block }',
    );
  });
});
