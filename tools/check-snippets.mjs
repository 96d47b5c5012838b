// Every code block of the documentation compiles: ```ts and ```tsx blocks of README.md, docs/**/*.md and packages/*/README.md,
// against the sources, as strict as the sources themselves.
//
// A block is a file of its own. Its first line may name it (`// auth.ts`), so that other blocks of the document can import it,
// as ./auth or @/auth. What a reader need not see stands in a comment before it, `<!-- ts … -->`: lines that are put in front of
// the next block or, where the first of them names a file, a file.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import ts from "typescript";
import { runAsScript } from "./report-problems.mjs";
import { listFiles, readTsconfig } from "./source-files.mjs";

/** Problems of all code blocks below `root`, as `README.md:12 what is wrong`. */
export function checkSnippets(root) {
  const snippets = documents(root).flatMap((path) => readSnippets(root, path));
  const files = new Map(snippets.map((snippet) => [snippet.fileName, snippet]));
  const host = snippetHost(readOptions(root), files);
  const program = ts.createProgram([...files.keys()], readOptions(root), host);
  const marked = documents(root).flatMap((path) => findMarks(root, path));
  const problems = snippets.flatMap((snippet) => {
    if (files.get(snippet.fileName) !== snippet) return [`${snippet.path}:${snippet.line} another block has its name`];
    const file = program.getSourceFile(snippet.fileName);
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return diagnostics.map((diagnostic) => describeProblem(snippet, file, diagnostic));
  });
  return [...marked, ...problems];
}

/** A mark after the language would keep a block from being read here. */
function findMarks(root, path) {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    return /^```(?:tsx?|typescript)[ \t]+\S/.test(line)
      ? [`${path}:${index + 1} every block compiles: take the mark away`]
      : [];
  });
}

function documents(root) {
  // docs/api/ is made of the doc comments, and holds signatures.
  const docs = listFiles(root, "docs").filter((path) => path.endsWith(".md") && !path.startsWith("docs/api/"));
  const readmes = listFiles(root, "packages").filter((path) => /^packages\/[^/]+\/README\.md$/.test(path));
  return ["README.md", ...docs, ...readmes].filter((path) => existsSync(join(root, path)));
}

const BLOCK =
  /^(?:```(?<lang>tsx?|typescript)[ \t]*\n(?<code>[\s\S]*?)^```[ \t]*|<!-- tsx?\n(?<hidden>[\s\S]*?)-->)$/gm;

/** The blocks of a document: `{ path, line, fileName, text }`, `line` that of the document where `text` begins. */
function readSnippets(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  let before = "";
  return [...text.matchAll(BLOCK)].flatMap((match, index) => {
    const { lang = "ts", code, hidden } = match.groups;
    const name = /^\/\/ ([\w./[\]-]+\.tsx?)\s*$/m.exec((code ?? hidden).split("\n")[0])?.[1];
    if (hidden !== undefined && name === undefined) {
      before = hidden;
      return [];
    }
    const lines = (part) => part.split("\n").length - 1;
    const line = lines(text.slice(0, match.index)) + 2 - lines(before);
    const fileName = join(folderOf(root, path), name ?? `snippet-${index + 1}.${lang === "tsx" ? "tsx" : "ts"}`);
    const snippet = { path, line, fileName, text: before + (code ?? hidden) };
    before = "";
    return [snippet];
  });
}

/** A folder beside the document, where no file is: what a block imports as ./name.ts is another block. */
function folderOf(root, path) {
  return join(root, dirname(path), `${folderMark}${path.split("/").at(-1)}`);
}

const folderMark = ".snippets-";

function readOptions(root) {
  const { options } = ts.parseJsonConfigFileContent(readTsconfig(root), ts.sys, root);
  // Every block is a module: what two of them declare does not collide.
  return {
    ...options,
    noEmit: true,
    moduleDetection: ts.ModuleDetectionKind.Force,
    noUncheckedSideEffectImports: true,
    jsx: ts.JsxEmit.ReactJSX,
    paths: withInstalled(root, options),
  };
}

/** What any package of the workspace has installed may be imported by a block, wherever it stands. */
function withInstalled(root, { paths = {} }) {
  const folders = ["packages", "examples"].flatMap((parent) => {
    return [...new Set(listFiles(root, parent).map((path) => path.split("/").slice(0, 2).join("/")))];
  });
  folders.push("docs");
  // Types of any of them come before the sources of another, which may have none.
  const installed = ["node_modules/@types/*", "node_modules/*"].flatMap((place) =>
    folders.map((folder) => `./${folder}/${place}`),
  );
  return installed.length === 0 ? paths : { ...paths, "*": ["./node_modules/*", ...installed] };
}

/** A compiler host that has the blocks beside the files of the disk. */
function snippetHost(options, files) {
  const host = ts.createCompilerHost(options);
  const folders = new Set([...files.keys()].flatMap((fileName) => foldersAbove(fileName)));
  const cache = ts.createModuleResolutionCache(host.getCurrentDirectory(), (name) => name, options);
  const snippets = {
    ...host,
    resolveModuleNameLiterals: (literals, from) => {
      return literals.map(({ text }) => ts.resolveModuleName(fromRoot(text, from), from, options, snippets, cache));
    },
    fileExists: (fileName) => files.has(native(fileName)) || host.fileExists(fileName),
    readFile: (fileName) => files.get(native(fileName))?.text ?? host.readFile(fileName),
    directoryExists: (folder) => folders.has(native(folder)) || ts.sys.directoryExists(folder),
    getSourceFile: (fileName, languageVersion, ...rest) => {
      const snippet = files.get(native(fileName));
      if (!snippet) return host.getSourceFile(fileName, languageVersion, ...rest);
      return ts.createSourceFile(fileName, snippet.text, languageVersion, true);
    },
  };
  return snippets;
}

/** The folder of a block, and those above it up to that of its document. */
function foldersAbove(fileName) {
  const folder = dirname(fileName);
  return basename(folder).startsWith(folderMark) ? [folder] : [folder, ...foldersAbove(folder)];
}

/** In an application `@/…` is its root; here, the document's. */
function fromRoot(specifier, from) {
  if (!specifier.startsWith("@/")) return specifier;
  return join(foldersAbove(native(from)).at(-1), specifier.slice(2))
    .split(sep)
    .join("/");
}

function native(fileName) {
  return fileName.split("/").join(sep);
}

function describeProblem(snippet, file, { start = 0, messageText }) {
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${snippet.path}:${snippet.line + line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
}

await runAsScript(import.meta, checkSnippets);
