// Compiles every code block of the documentation (```ts and ```tsx in README.md, docs/**/*.md and packages/*/README.md) against the
// sources, with the same strictness.
//
// The first block of a page that says what to install imports nothing of ours that is not named there.
//
// Each block is a separate file. Its first line may contain a name (`// auth.ts`), so that other blocks of the document can import
// it as ./auth or @/auth. Code that readers need not see goes into a preceding comment, `<!-- ts … -->`: it is inserted before the
// next block, or becomes a file if its first line is a file name.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { compile } from "./compile.mjs";
import { runAsScript } from "./report-problems.mjs";
import { listFiles, packageNames, sourcePaths } from "./source-files.mjs";

/** Problems of all code blocks below `root`, as `README.md:12 what is wrong`. */
export async function checkSnippets(root) {
  const paths = documents(root);
  const snippets = paths.flatMap((path) => readSnippets(root, path));
  const files = new Map(snippets.map((snippet) => [snippet.file, snippet]));
  const again = snippets.filter((snippet) => files.get(snippet.file) !== snippet);
  const problems = await compileAll(root, files);
  return [
    ...paths.flatMap((path) => findMarks(root, path)),
    ...paths.flatMap((path) => findMissing(root, path)),
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
  try {
    for (const [file, { text }] of files) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return await compile({ compilerOptions: optionsOf(root), files: [...files.keys()] });
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** A marker after the language would exclude a block from this check. */
function findMarks(root, path) {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    return /^```(?:tsx?|typescript)[ \t]+\S/.test(line)
      ? [`${path}:${index + 1} every block compiles: take the mark away`]
      : [];
  });
}

/**
 * The first block of a page that installs packages runs with what the page installs. npm also makes the peers of packages available;
 * pnpm and Yarn do not.
 */
function findMissing(root, path) {
  const text = readFileSync(join(root, path), "utf8").replace(/^<!-- tsx?\n[\s\S]*?-->$/gm, "");
  const installed = [...text.matchAll(/^npm install (.*)$/gm)].flatMap(([, list]) => list.split(/\s+/));
  const [, first = ""] = /^```tsx?\n([\s\S]*?)^```$/m.exec(text) ?? [];
  const imported = [...first.matchAll(/ from "(@cardea\/[\w-]+)/g)].map(([, name]) => name);
  if (installed.length === 0) return [];
  return [...new Set(imported)]
    .filter((name) => !installed.includes(name))
    .map((name) => `${path}:1 its first block imports ${name}, which the page does not install`);
}

function documents(root) {
  // docs/api/ is generated from doc comments and contains signatures.
  const docs = listFiles(root, "docs").filter((path) => path.endsWith(".md") && !path.startsWith("docs/api/"));
  const readmes = listFiles(root, "packages").filter((path) => /^packages\/[^/]+\/README\.md$/.test(path));
  return ["README.md", ...docs, ...readmes].filter((path) => existsSync(join(root, path)));
}

const BLOCK =
  /^(?:```(?<lang>tsx?|typescript)[ \t]*\n(?<code>[\s\S]*?)^```[ \t]*|<!-- tsx?\n(?<hidden>[\s\S]*?)-->)$/gm;

/** The blocks of a document: `{ path, line, folder, file, text }`; `line` is where `text` starts in the document. */
function readSnippets(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  const folder = folderOf(root, path);
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
    const snippet = { path, line, folder, file, text: fromRoot(before + (code ?? hidden), file, folder) };
    before = "";
    return [snippet];
  });
}

/** The folder for the blocks of a document, where they find its installed packages and no other check reads them. */
function folderOf(root, path) {
  const [parent, name] = path.split("/");
  const place = parent === "packages" ? join(parent, name) : parent === "docs" ? parent : "";
  return join(root, place, "node_modules/.snippets", path.replaceAll("/", "-"));
}

/** `@/…` is the root of an application; here it is the folder of the document. */
function fromRoot(text, file, folder) {
  const up = relative(dirname(file), folder) || ".";
  return text.replace(/(?<=\b(?:from|import|import\() ?")@\//g, `${up}/`);
}

function optionsOf(root) {
  const absolute = Object.entries(sourcePaths(root)).map(([name, path]) => [name, [join(root, path)]]);
  return {
    // Every block is a module, so that declarations do not conflict.
    ...{ moduleDetection: "force", noUncheckedSideEffectImports: true, jsx: "react-jsx" },
    paths: { ...Object.fromEntries(absolute), "*": installed(root) },
  };
}

/** Lets blocks in any document import everything that any package of the workspace has installed. */
function installed(root) {
  const examples = new Set(listFiles(root, "examples").map((path) => path.split("/").slice(0, 2).join("/")));
  const folders = ["", ...packageNames(root).map((name) => `packages/${name}`), ...examples, "docs", "tests/bindings"];
  // Types come before sources, because some packages have no types of their own.
  return ["node_modules/@types/*", "node_modules/*"].flatMap((place) =>
    folders.map((folder) => join(root, folder, place)),
  );
}

await runAsScript(import.meta, checkSnippets);
