// Everything an application can import has a doc comment; and each entry point is known to everyone alike.
import { join, relative, sep } from "node:path";
import ts from "typescript";
import { publicEntries, readTsconfig, sourceByPaths } from "./public-entries.mjs";
import { runAsScript } from "./report-problems.mjs";
import { packageNames } from "./source-files.mjs";

/** Problems of the public entry points of all packages below `root`. */
export function checkDocs(root) {
  const entries = packageNames(root).flatMap((name) => publicEntries(root, name));
  return [...entries.flatMap((entry) => checkEntry(root, entry)), ...checkComments(root, entries)];
}

/** `exports`, tsup's `entry` and tsconfig's `paths` must name the same file, or tests and types see an old build. */
function checkEntry(root, { specifier, source }) {
  if (!source) return [`${specifier} is exported, but no entry of tsup.config.ts builds it`];
  const bySource = sourceByPaths(root, specifier);
  return bySource === source
    ? []
    : [`${specifier} is built from ${source}, but tsconfig.json's paths lead to ${bySource ?? "nothing"}`];
}

function checkComments(root, entries) {
  const sources = entries.flatMap(({ source }) => (source ? [join(root, source)] : []));
  const program = ts.createProgram(sources, {
    // Only who exports what is of interest, not whether it is right: no library, no packages.
    noLib: true,
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    baseUrl: root,
    paths: readTsconfig(root).compilerOptions.paths ?? {},
  });
  const checker = program.getTypeChecker();
  const problems = new Set(); // several entry points may export the same thing
  for (const path of sources) {
    const file = program.getSourceFile(path);
    const symbol = file && checker.getSymbolAtLocation(file);
    if (!symbol) problems.add(`${relative(root, path)}:1 is a public entry point, and exports nothing`);
    for (const exported of symbol ? checker.getExportsOfModule(symbol) : []) {
      const problem = undocumented(root, checker, exported);
      if (problem) problems.add(problem);
    }
  }
  return [...problems];
}

/** Why an export is not documented; undefined when it is, or when another package is where to do it. */
function undocumented(root, checker, exported) {
  const alias = exported.flags & ts.SymbolFlags.Alias;
  const symbol = alias ? checker.getAliasedSymbol(exported) : exported;
  const declaration = symbol.declarations?.[0];
  if (!declaration) return undefined; // from a package of someone else, which was not read
  const file = declaration.getSourceFile();
  const path = relative(root, file.fileName).split(sep).join("/");
  if (path.includes("node_modules/") || path.startsWith("../")) return undefined;
  // A comment at the re-export counts as well: `export { a as b }` may need its own words.
  const documented = [symbol, exported].some((one) => one.getDocumentationComment(checker).length > 0);
  if (documented) return undefined;
  const line = file.getLineAndCharacterOfPosition(declaration.getStart(file)).line + 1;
  return `${path}:${line} ${exported.name} is public and has no doc comment`;
}

await runAsScript(import.meta, checkDocs);
