// A plugin for markdown-it: blocks of which a reader needs one become tabs, and the site remembers which (theme/select-tab.mjs). The
// documents stay plain Markdown:
//
// - Commands of npm are also shown in the words of other package managers.
// - Between `<!-- tabs: framework -->` and `<!-- /tabs -->`, a paragraph in bold begins each tab.
// - `<!-- tabs: set-up -->` stands for the set-up of every framework, from the README of its package.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inWordsOf, managers } from "./package-managers.mjs";

const root = join(import.meta.dirname, "../..");

/** What the tabs of each kind choose from: id → label. */
const kinds = {
  manager: Object.fromEntries(managers.map((name) => [name, name])),
  framework: {
    next: "Next.js",
    express: "Express",
    hono: "Hono",
    fastify: "Fastify",
    sveltekit: "SvelteKit",
    nuxt: "Nuxt",
    fetch: "Fetch API",
  },
};

/** The package whose README shows the set-up of a framework, where its name is another. */
const packages = { nuxt: "h3", fetch: "core" };

export function tabs(md) {
  md.core.ruler.push("tabs", (state) => {
    // The reference has no commands.
    if (state.env.relativePath.startsWith("api/")) return;
    state.env.tabs ??= { groups: 0 };
    state.tokens = withManagers(withFrameworks(state.tokens, md, state), state);
  });
}

/** Groups of framework tabs, from their markers. */
function withFrameworks(tokens, md, state) {
  const result = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (isMark(token, "tabs: set-up")) result.push(...group("framework", readSetUps(md, state), state));
    else if (isMark(token, "tabs: framework")) {
      const end = tokens.findIndex((one, at) => at > index && isMark(one, "/tabs"));
      result.push(...group("framework", splitByLabel(tokens.slice(index + 1, end)), state));
      index = end;
    } else result.push(token);
  }
  return result;
}

const isMark = ({ type, content }, mark) => type === "html_block" && content.trim() === `<!-- ${mark} -->`;

/** `[id, tokens]` for each label in bold. */
function splitByLabel(tokens) {
  const panels = [];
  for (let index = 0; index < tokens.length; index++) {
    const [, label] = /^\*\*([^*]+)\*\*$/.exec(tokens[index + 1]?.content ?? "") ?? [];
    const [id] = Object.entries(kinds.framework).find(([, name]) => name === label) ?? [];
    if (label !== undefined && id === undefined) throw new Error(`No framework is called ${label}`);
    if (id === undefined) panels.at(-1)[1].push(tokens[index]);
    else {
      panels.push([id, []]);
      index += 2;
    }
  }
  return panels;
}

/** What each README says between its description and its first section. */
function readSetUps(md, state) {
  return Object.keys(kinds.framework).map((id) => {
    const name = packages[id] ?? id;
    const text = readFileSync(join(root, "packages", name, "README.md"), "utf8");
    const [start] = text.slice(text.indexOf("```sh")).split(/^## /m);
    return [id, md.parse(start, { ...state.env, relativePath: `packages/${name}.md` })];
  });
}

/** Blocks of commands of which a package manager has another form. A set-up has been parsed by itself, and has them. */
function withManagers(tokens, state) {
  return tokens.flatMap((token) => {
    if (token.type !== "fence" || token.info.trim() !== "sh" || token.meta?.isCommand) return [token];
    const panels = managers.map((name) => {
      const content = token.content.replace(/^.+$/gm, (line) => inWordsOf(name, line));
      return [
        name,
        [Object.assign(new state.Token("fence", "code", 0), token, { content, meta: { isCommand: true } })],
      ];
    });
    return panels.every(([, [{ content }]]) => content === token.content) ? [token] : group("manager", panels, state);
  });
}

/** The tokens of a group of tabs. Without a script the first one is shown. */
function group(kind, panels, state) {
  const number = ++state.env.tabs.groups;
  const html = (content) => Object.assign(new state.Token("html_block", "", 0), { content });
  const buttons = panels.map(([id], index) => {
    const isFirst = index === 0;
    return `<button type="button" role="tab" id="tab-${number}-${id}" aria-controls="panel-${number}-${id}" data-choice="${id}" aria-selected="${isFirst}" tabindex="${isFirst ? 0 : -1}">${kinds[kind][id]}</button>`;
  });
  return [
    html(
      `<div class="tabs" data-kind="${kind}"><div role="tablist" aria-label="${LABELS[kind]}">${buttons.join("")}</div>`,
    ),
    ...panels.flatMap(([id, tokens]) => [
      html(
        `<div role="tabpanel" id="panel-${number}-${id}" aria-labelledby="tab-${number}-${id}" data-choice="${id}">`,
      ),
      ...tokens,
      html("</div>"),
    ]),
    html("</div>"),
  ];
}

const LABELS = { manager: "Package manager", framework: "Framework" };

/** Shows the panel of the remembered choice before the first paint: `html` has it as an attribute. */
export function tabStyles() {
  const rules = Object.entries(kinds).flatMap(([kind, choices]) =>
    Object.keys(choices).map((id) => {
      const chosen = `[data-${kind}="${id}"] .tabs[data-kind="${kind}"]:has(> [data-choice="${id}"])`;
      return `${chosen} > [role="tabpanel"] { display: none } ${chosen} > [data-choice="${id}"] { display: block }`;
    }),
  );
  return ['.tabs > [role="tabpanel"]:not(:nth-child(2)) { display: none }', ...rules].join("\n");
}

/** Reads the choices of former visits. */
export const tabScript = `for (const kind of ${JSON.stringify(Object.keys(kinds))})
  try { document.documentElement.dataset[kind] = localStorage.getItem("cardea-docs:" + kind) ?? "" } catch {}`;
