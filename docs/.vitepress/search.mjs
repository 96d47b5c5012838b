// The search of the site. The index is made of the Markdown, section by section, by the same code in the site and in the test of forty
// questions (tests/guides/search.test.mjs).

/** Anchors as hosts of repositories make them: a link to a heading works in the repository and on the site. */
export function slugify(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

const HEADING = /^(#{1,4}) +(.+)$/;
const FENCE = /^\s*(```|~~~)/;

/** Without the syntax of links, emphasis and code. Results are shown as HTML. */
const plainText = (markdown) =>
  markdown
    .replace(/<a id="[^"]*"><\/a>|<!--[\s\S]*?-->/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`|]/g, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/\s+/g, " ")
    .trim();

/** Words that users search for and the page does not use, such as those of other libraries: `<!-- search: … -->` below its title. */
const KEYWORDS = /<!-- search: (.*?) -->/g;

/** The sections of a page: their anchor, the titles that lead to them, and their text. */
export function* sectionsOf(markdown) {
  const keywords = Array.from(markdown.matchAll(KEYWORDS), ([, words]) => words);
  const lines = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .split("\n");
  const titles = [];
  const used = new Map();
  let section;
  let fence;
  for (const line of lines) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    const [, hashes, heading] = (fence === undefined && HEADING.exec(line)) || [];
    if (hashes === undefined) {
      section?.lines.push(line);
      continue;
    }
    if (section !== undefined) yield finish(section);
    titles.length = hashes.length - 1;
    titles.push(plainText(heading));
    section = { anchor: anchorOf(heading, used), titles: titles.filter(Boolean), lines: [], words: keywords.splice(0) };
  }
  if (section !== undefined) yield finish(section);
}

/** VitePress passes only these members on: the text ends with the words to search for. */
const finish = ({ anchor, titles, lines, words }) => ({
  anchor,
  titles,
  text: `${plainText(lines.join("\n"))}\n${words.join(", ")}`,
});

/** The second heading of a page with the same text has a number. */
function anchorOf(heading, used) {
  const slug = slugify(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

// VitePress sends the following functions to the browser as text: each must be complete in itself.

/** The words of a text. What is written in several ways is one word: e-mail and email; sign-in, sign in and log in. */
function tokenize(text) {
  return text
    .replace(/\be-?mails?\b/gi, "email")
    .replace(/\b(?:sign|log)(?:s|ed|ing)?[ -]?(in|out|up)\b/gi, "sign$1")
    .replace(/\bnext-?auth\b/gi, "nextauth")
    .replace(/\bauth\.?js\b/gi, "authjs")
    .replace(/\bnext\.?js\b/gi, "nextjs")
    .split(/[\n\r\p{Z}\p{P}|=<>`$+^]+/u);
}

/** A word as it is found: without its ending; nothing of a word that says nothing; of a name in camel case also its parts. */
function processTerm(term) {
  const ignored =
    /^(?:a|an|and|are|as|at|be|by|can|do|does|for|from|get|how|i|if|in|is|it|its|me|my|of|on|or|so|that|the|then|this|to|use|using|want|what|when|where|which|why|with|you|your|\p{L})$/iu;
  const stem = (word) => {
    const lower = word.toLowerCase();
    if (lower.length < 5) return lower.replace(/(?<=[^s]{2})s$/, "");
    return lower.replace(/(?:ies|y)$/, "i").replace(/(?:ings?|e?d|es?|s)$/, "");
  };
  if (ignored.test(term)) return null;
  const parts = term.split(/(?<=[\p{Ll}\d])(?=\p{Lu})/u);
  const words = parts.length === 1 ? [term] : [term, ...parts.filter((part) => !ignored.test(part))];
  return words.map(stem).filter(Boolean);
}

/** Guides come before reference pages, and these before what explains the library itself. */
function boostDocument(id, _term, fields) {
  const path = String(id).replace(/^\//, "");
  const isPage = (fields?.titles ?? []).length === 0;
  const places = [
    [/^api\//, 0.1],
    [/^(?:decisions|contributing)\//, 0.15],
    [/^(?:packages|examples)\//, 0.5],
    [/^(?:asvs|attacks|benchmarks|comparison|promises|review|behaviour|warnings|errors|testing-tools)\b/, 0.5],
  ];
  const [, place] = places.find(([pattern]) => pattern.test(path)) ?? [null, 1];
  return place * (isPage ? 1.5 : 1);
}

/** The last line of the text is a field of its own. */
function extractField(section, name) {
  if (name === "text") return section.text.split("\n")[0];
  return name === "words" ? section.text.split("\n")[1] : section[name];
}

export const miniSearch = {
  options: { fields: ["title", "titles", "text", "words"], extractField, tokenize, processTerm },
  searchOptions: {
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 5 ? 0.15 : false),
    boost: { title: 4, titles: 2, text: 1, words: 5 },
    boostDocument,
  },
};

/** For `themeConfig.search.options`. */
export const searchOptions = {
  miniSearch: { ...miniSearch, _splitIntoSections: (_file, markdown) => sectionsOf(markdown) },
  _render: (markdown, { frontmatter }) => (frontmatter?.search === false ? "" : markdown),
};
