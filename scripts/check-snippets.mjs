// Every code block of the documentation compiles: ```ts blocks of README.md, docs/*.md and packages/*/README.md, against
// the sources, as strict as the sources themselves.
//
// A block is a file of its own. Its first line may name it (`// auth.ts`), so that later blocks can import it. A block
// marked ```ts fragment is skipped: use it where a whole file would hide the point.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import ts from "typescript";
import { readTsconfig } from "./public-entries.mjs";
import { runAsScript } from "./report-problems.mjs";
import { listFiles } from "./source-files.mjs";

/** Documents whose blocks are still to be made whole, or marked. */
const unfinished = ["packages/testing/README.md"];

/** Problems of all code blocks below `root`, as `README.md:12 what is wrong`. */
export function checkSnippets(root) {
  const snippets = documents(root).flatMap((path) => readSnippets(root, path));
  const files = new Map(snippets.map((snippet) => [snippet.fileName, snippet]));
  const host = snippetHost(readOptions(root), files);
  const program = ts.createProgram([...files.keys()], readOptions(root), host);
  return snippets.flatMap((snippet) => {
    const file = program.getSourceFile(snippet.fileName);
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return diagnostics.map((diagnostic) => describeProblem(snippet, file, diagnostic));
  });
}

function documents(root) {
  const docs = listFiles(root, "docs").filter((path) => path.endsWith(".md"));
  const readmes = listFiles(root, "packages").filter((path) => /^packages\/[^/]+\/README\.md$/.test(path));
  const all = ["README.md", ...docs, ...readmes].filter((path) => existsSync(join(root, path)));
  return all.filter((path) => !unfinished.includes(path));
}

/** The blocks of a document that are to compile: `{ path, line, fileName, text }`, `line` that of the first line of code. */
function readSnippets(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/^```(?:ts|tsx|typescript)[ \t]*\n([\s\S]*?)^```[ \t]*$/gm)].map((match, index) => {
    const code = match[1];
    const name = /^\/\/ ([\w./-]+\.tsx?)\s*$/m.exec(code.split("\n")[0])?.[1] ?? `snippet-${index + 1}.ts`;
    // In a folder beside the document, where no file is: what a block imports as ./name.ts is another block.
    const fileName = join(root, dirname(path), `.snippets-${path.split("/").at(-1)}`, name);
    return { path, line: text.slice(0, match.index).split("\n").length + 1, fileName, text: code };
  });
}

function readOptions(root) {
  const { options } = ts.parseJsonConfigFileContent(readTsconfig(root), ts.sys, root);
  // Every block is a module: what two of them declare does not collide.
  return {
    ...options,
    noEmit: true,
    moduleDetection: ts.ModuleDetectionKind.Force,
    noUncheckedSideEffectImports: true,
    paths: withInstalled(root, options),
  };
}

/** What any package of the workspace has installed may be imported by a block, wherever it stands. */
function withInstalled(root, { paths = {} }) {
  const folders = ["packages", "examples"].flatMap((parent) => {
    return [...new Set(listFiles(root, parent).map((path) => path.split("/").slice(0, 2).join("/")))];
  });
  const installed = folders.flatMap((folder) => [`./${folder}/node_modules/@types/*`, `./${folder}/node_modules/*`]);
  return installed.length === 0 ? paths : { ...paths, "*": ["./node_modules/*", ...installed] };
}

/** A compiler host that has the blocks beside the files of the disk. */
function snippetHost(options, files) {
  const host = ts.createCompilerHost(options);
  const folders = new Set([...files.keys()].map((fileName) => dirname(fileName)));
  return {
    ...host,
    fileExists: (fileName) => files.has(native(fileName)) || host.fileExists(fileName),
    readFile: (fileName) => files.get(native(fileName))?.text ?? host.readFile(fileName),
    directoryExists: (folder) => folders.has(native(folder)) || ts.sys.directoryExists(folder),
    getSourceFile: (fileName, languageVersion, ...rest) => {
      const snippet = files.get(native(fileName));
      if (!snippet) return host.getSourceFile(fileName, languageVersion, ...rest);
      return ts.createSourceFile(fileName, snippet.text, languageVersion, true);
    },
  };
}

function native(fileName) {
  return fileName.split("/").join(sep);
}

function describeProblem(snippet, file, { start = 0, messageText }) {
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${snippet.path}:${snippet.line + line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
}

await runAsScript(import.meta, checkSnippets);
