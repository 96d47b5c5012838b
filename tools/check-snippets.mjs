// Compiles every code block of the documentation (```ts and ```tsx in README.md, docs/**/*.md and packages/*/README.md) against the
// sources, with the same strictness. Excerpts of source files are checked by check-links.mjs.
//
// The first block of a page that says what to install imports nothing of ours that is not named there.
//
// Each block is a separate file. Its first line may contain a name (`// auth.ts`), so that other blocks of the document can import
// it as ./auth or @/auth. Code that readers need not see goes into a preceding comment, `<!-- ts … -->`: it is inserted before the
// next block, or becomes a file if its first line is a file name.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { compile } from "./compile.mjs";
import { withoutExcerpts } from "./excerpts.mjs";
import { runAsScript } from "./report-problems.mjs";
import { sourcePaths, trackedFiles } from "./source-files.mjs";

const documents = /^(?:README\.md|docs\/.+|packages\/[^/]+\/README\.md)$/;

/** Problems of all code blocks below `root`, as `README.md:12 what is wrong`. */
async function checkSnippets(root) {
  const texts = trackedFiles(root, "*.md").filter((path) => documents.test(path));
  const pages = texts.map((path) => ({ path, text: withoutExcerpts(readFileSync(join(root, path), "utf8")) }));
  const snippets = pages.flatMap((page) => readSnippets(root, page));
  const files = new Map(snippets.map((snippet) => [snippet.file, snippet]));
  const again = snippets.filter((snippet) => files.get(snippet.file) !== snippet);
  const problems = await compileAll(root, files);
  return [
    ...pages.flatMap(findMarks),
    ...pages.flatMap(findMissing),
    ...again.map(({ path, line }) => `${path}:${line} another block has its name`),
    // Problems in the sources themselves are reported by another check.
    ...problems.flatMap(({ file, line, text }) => {
      const snippet = files.get(file);
      if (snippet) return [`${snippet.path}:${snippet.line + line - 1} ${text}`];
      return file === "" ? [text] : [];
    }),
  ];
}

async function compileAll(root, files) {
  const folders = new Set([...files.values()].map(({ folder }) => folder));
  const absolute = Object.entries(sourcePaths(root)).map(([name, path]) => [name, [join(root, path)]]);
  // Every block is a module, so that declarations do not conflict.
  const options = { moduleDetection: "force", noUncheckedSideEffectImports: true, jsx: "react-jsx" };
  const paths = { ...Object.fromEntries(absolute), "*": installed(root) };
  try {
    for (const [file, { text }] of files) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return await compile({ compilerOptions: { ...options, paths }, files: [...files.keys()] });
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets blocks in any document import everything that any package of the workspace has installed. */
function installed(root) {
  const manifests = trackedFiles(root, "*package.json").map(dirname);
  const folders = manifests.filter((folder) =>
    /^(?:\.|docs|tests\/bindings|(?:packages|examples)\/[^/]+)$/.test(folder),
  );
  // Types come before sources, because some packages have no types of their own.
  return ["node_modules/@types/*", "node_modules/*"].flatMap((place) =>
    folders.map((folder) => join(root, folder, place)),
  );
}

/** A marker after the language would exclude a block from this check. */
function findMarks({ path, text }) {
  const marked = text.match(/^```(?:tsx?|typescript)[ \t]+\S.*$/gm) ?? [];
  return marked.map((mark) => `${path}:1 every block compiles: take the mark away from ${mark}`);
}

/**
 * The first block of a page that installs packages runs with what the page installs. npm also makes the peers of packages available;
 * pnpm and Yarn do not.
 */
function findMissing({ path, text }) {
  const shown = text.replace(/^<!-- tsx?\n[\s\S]*?-->$/gm, "");
  const added = [...shown.matchAll(/^npm install (.*)$/gm)].flatMap(([, list]) => list.split(/\s+/));
  const [, first = ""] = /^```tsx?\n([\s\S]*?)^```$/m.exec(shown) ?? [];
  const imported = new Set([...first.matchAll(/ from "(@cardea\/[\w-]+)/g)].map(([, name]) => name));
  const missing = [...imported].filter((name) => added.length > 0 && !added.includes(name));
  return missing.map((name) => `${path}:1 its first block imports ${name}, which the page does not install`);
}

const BLOCK =
  /^(?:```(?<lang>tsx?|typescript)[ \t]*\n(?<code>[\s\S]*?)^```[ \t]*|<!-- tsx?\n(?<hidden>[\s\S]*?)-->)$/gm;

/** The blocks of a document: `{ path, line, folder, file, text }`; `line` is where `text` starts in the document. */
function readSnippets(root, { path, text }) {
  // Here they find the packages that the document's package has installed, and no other check reads them.
  const [place] = /^(?:packages\/[^/]+|docs)(?=\/)/.exec(path) ?? [""];
  const folder = join(root, place, "node_modules/.snippets", path.replaceAll("/", "-"));
  let before = "";
  return [...text.matchAll(BLOCK)].flatMap((match, index) => {
    const { lang = "ts", code, hidden } = match.groups;
    const name = /^\/\/ ([\w./[\]$@-]+\.tsx?)\s*$/m.exec((code ?? hidden).split("\n")[0])?.[1];
    if (hidden !== undefined && name === undefined) {
      before = hidden;
      return [];
    }
    const lines = (part) => part.split("\n").length - 1;
    const line = lines(text.slice(0, match.index)) + 2 - lines(before);
    const file = join(folder, name ?? `snippet-${index + 1}.${lang === "tsx" ? "tsx" : "ts"}`);
    const whole = before + (code ?? hidden);
    before = "";
    return [{ path, line, folder, file, text: fromRoot(whole, relative(dirname(file), folder) || ".") }];
  });
}

/** `@/…` is the root of an application; here it is the folder of the document. */
function fromRoot(text, up) {
  return text.replace(/(?<=\b(?:from|import|import\() ?")@\//g, `${up}/`);
}

await runAsScript(import.meta, checkSnippets);
