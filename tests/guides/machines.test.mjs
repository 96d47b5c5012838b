// What programs read: pages as Markdown, llms.txt, AGENTS.md of every package and the skill. And what the landing page shows of a program.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "@cardea/cli";
import { describe, expect, it } from "vitest";
import { terminal } from "../../docs/.vitepress/landing.mjs";
import { writeLlms, writeLlmsFull } from "../../docs/.vitepress/llms.mjs";
import { describePage, readMarkdownPage } from "../../docs/.vitepress/markdown-page.mjs";
import { writeAgentsPage } from "../../tools/agents-page.mjs";
import { mistakesOf } from "../../tools/package-pages.mjs";
import { packageNames } from "../../tools/source-files.mjs";

const root = join(import.meta.dirname, "../..");
const pages = new Set(readdirSync(join(root, "docs")).filter((file) => file.endsWith(".md")));
const texts = new Map([...pages].map((page) => [page, readMarkdownPage(page, pages)]));

/** What links of a Markdown text lead to, code left out. */
const linksOf = (text) =>
  [
    ...text
      .replace(/^```[\s\S]*?^```$/gm, "")
      .replace(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^()\s]+)\)/g),
  ].map(([, href]) => href);

describe("readMarkdownPage()", () => {
  it("has only links that lead somewhere from a folder", () => {
    for (const href of [...texts.values()].flatMap(linksOf)) {
      const [, path] = /^\.\/([^#]*)/.exec(href) ?? [];
      if (path !== undefined) expect(pages, href).toContain(path);
      else expect(href).toMatch(/^(?:https?:\/\/|#|mailto:)/);
    }
  });

  it("takes the text of a page from the document behind it, and leads to files in the repository", () => {
    const text = readMarkdownPage("packages/sessions.md", pages);
    expect(text).toMatch(/^# @cardea\/sessions\n/);
    expect(text).toContain("[guide](../session-control.md)");
    expect(readMarkdownPage("index.md", new Set())).toContain(
      "https://github.com/cardea-auth/cardea/blob/main/docs/sessions.md#reading-a-session",
    );
  });

  it("leaves out comments and keeps code", () => {
    const text = texts.get("getting-started-next.md");
    expect(text).not.toContain("declare class PrismaClient");
    expect(text).toContain('import { handlers } from "@/auth";');
  });
});

describe("describePage()", () => {
  it("returns the first sentence without syntax", () => {
    const text =
      "# The `title`\n\n<!-- search: x -->\n\n```sh\nnpm install\n```\n\nIt has [a link](./x.md), e.g. 1.5 of them. And more.\n";
    expect(describePage(text)).toEqual({ title: "The title", description: "It has a link, e.g. 1.5 of them." });
  });

  it("finds a sentence that describes each page", () => {
    for (const [page, text] of texts) {
      const { title, description } = describePage(text);
      expect(title, page).not.toBe("");
      expect(description, page).toMatch(/^[^|<].{20,}[.?]$/s);
    }
  });
});

describe("writeLlms()", () => {
  it("has the sections of llmstxt.org in their order", () => {
    const [title, summary, ...rest] = writeLlms(texts).split("\n\n");
    expect(title).toBe("# Cardea");
    expect(summary).toMatch(/^> \S/);
    const headings = rest.filter((part) => part.startsWith("#"));
    expect(headings[0]).toBe("## Start");
    expect(rest.slice(rest.indexOf(headings[0])).every((part) => /^(?:## |- \[)/.test(part))).toBe(true);
    for (const line of rest.slice(rest.indexOf(headings[0])).join("\n").trim().split("\n"))
      expect(line).toMatch(/^(?:## .+|- \[[^\]]+\]\(\.\/[\w/-]+\.md\)(?:: .+)?)$/);
  });

  it("lists every page of the guide once, without those that are not there", () => {
    const some = new Map([...texts].filter(([page]) => page !== "asvs.md"));
    const listed = linksOf(writeLlms(some).split("## Start")[1]).map((href) => href.slice(2));
    expect(listed.toSorted()).toEqual([...some.keys()].filter((page) => page !== "index.md").toSorted());
  });
});

describe("writeLlmsFull()", () => {
  it("has the text of every page of the guide, and not of the tour for contributors", () => {
    const full = writeLlmsFull(texts);
    for (const [page, text] of texts)
      if (page !== "index.md") expect(full.includes(text.trim()), page).toBe(page !== "tour.md");
  });
});

describe("writeAgentsPage()", () => {
  it("names only pages that are in the guide, in every package", () => {
    const PAGE = /`(?:\S*dist\/docs\/)?([\w-]+\.md)(?:#[\w-]+)?`/g;
    for (const name of packageNames(root)) {
      const text = readFileSync(join(root, "packages", name, "AGENTS.md"), "utf8");
      const named = [...text.matchAll(PAGE)].map(([, page]) => page);
      expect(named.length, name).toBeGreaterThan(2);
      expect(pages, name).toEqual(new Set([...pages, ...named]));
      expect(mistakesOf(name).length, name).toBeGreaterThan(1);
      expect(text.split("\n").length, name).toBeLessThan(90);
    }
  });

  it("makes paths of links, as the guide lies in node_modules", () => {
    const own =
      "See [this](../../docs/x.md#y), [that](../core/README.md) and [there](https://example.com).\n\n## Options\n\nMore.";
    const text = writeAgentsPage({
      name: "hono",
      description: "It.",
      own,
      install: "npm install x",
      pages: [["hono", "Hono"]],
    });
    expect(text).toContain(
      "See this (`../core/dist/docs/x.md#y`), that and [there](https://example.com).\n\n## Mistakes",
    );
  });
});

describe("skills/cardea/SKILL.md", () => {
  const [, front, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(
    readFileSync(join(root, "skills/cardea/SKILL.md"), "utf8"),
  );
  const fields = Object.fromEntries(front.split("\n").map((line) => /^([a-z-]+): (.*)$/.exec(line).slice(1)));

  it("has the front matter of agentskills.io: the name of its folder, and lengths below the limits", () => {
    expect(Object.keys(fields)).toEqual(["name", "description", "license", "compatibility"]);
    expect(fields.name).toBe("cardea");
    expect(fields.description.length).toBeLessThanOrEqual(1024);
    expect(fields.compatibility.length).toBeLessThanOrEqual(500);
    expect(body.split("\n").length).toBeLessThan(500);
    // A plain scalar of YAML.
    for (const value of Object.values(fields)) expect(value).not.toMatch(/: | #|^[@`"'[{&*!|>%-]/);
  });

  it("uses only commands that the command line has", () => {
    const used = [...body.matchAll(/@cardea\/cli (\w+)/g)].map(([, command]) => command);
    expect(new Set(used)).toEqual(new Set(["init", "adopt", "doctor", "explain"]));
    for (const command of used)
      expect(existsSync(join(root, `packages/cli/src/commands/${command}-command.ts`))).toBe(true);
  });
});

describe("the terminal of the landing page", () => {
  it("shows the files that the command writes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cardea-landing-"));
    try {
      const [, line] = /^\$ npx @cardea\/cli (.*)$/m.exec(terminal);
      const printed = [];
      const write = (text) => printed.push(text);
      await runCli([...line.split(" "), "--yes", "--no-install"], { folder, env: {}, write, warn: write });
      const files = (lines) => lines.filter((text) => text.startsWith("+ "));
      expect(files(terminal.split("\n"))).toEqual(files(printed));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
