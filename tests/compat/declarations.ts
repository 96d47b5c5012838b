import { join, relative } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => ts.readConfigFile(join(root, path), ts.sys.readFile).config;
const { config: _none, ...base } = read("tsconfig.base.json");
const paths: Record<string, string[]> = read("tsconfig.json").compilerOptions.paths;
const { options } = ts.convertCompilerOptionsFromJson(
  { ...base.compilerOptions, types: ["node"], jsx: "react-jsx", paths },
  root,
);

const isSource = (path: string) => /\/packages\/[^/]+\/src\/.*(?<!\.d)\.tsx?$/.test(path);
const asDeclaration = (path: string) => path.replace(/\.tsx?$/, ".d.ts");

/**
 * The declarations of packages, as an application gets them; made from the sources, because nothing is built yet, and kept in
 * memory.
 *
 * @param packages names without their scope, such as `core`.
 */
export function emitDeclarations(packages: readonly string[]): ReadonlyMap<string, string> {
  const entries = Object.entries(paths).flatMap(([name, [path = ""]]) =>
    packages.flatMap((one) =>
      name === "@cardea/*" || name.startsWith(`@cardea/${one}/`) ? [path.replace("*", one)] : [],
    ),
  );
  const made = new Map<string, string>();
  const emit = { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true };
  const files = [...entries, "packages/core/src/index.ts"].map((path) => join(root, path));
  ts.createProgram(files, emit).emit(undefined, (path, text) => made.set(path, text));
  return made;
}

/**
 * Checks files as an application would, all declarations included.
 *
 * @param files on the disk.
 * @param sources files that are not, by absolute path.
 * @param only the files to report on, which is faster; default all, the declarations of every package among them.
 * @returns what is wrong.
 */
export function checkApplication(
  declarations: ReadonlyMap<string, string>,
  files: readonly string[],
  sources: Readonly<Record<string, string>> = {},
  only: readonly string[] = [],
): readonly ts.Diagnostic[] {
  const placed = Object.entries(paths).map(([name, list]) => [name, list.map(asDeclaration)]);
  const asApplication: ts.CompilerOptions = {
    ...options,
    ...{ paths: Object.fromEntries(placed), skipLibCheck: false, noImplicitOverride: false, esModuleInterop: true },
    ...{ exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false, verbatimModuleSyntax: false },
  };
  const host = hostOf(asApplication, new Map([...declarations, ...Object.entries(sources)]));
  const program = ts.createProgram([...files, ...Object.keys(sources)], asApplication, host);
  if (only.length === 0) return ts.getPreEmitDiagnostics(program);
  return only.flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)));
}

const kept = new Map<string, ts.SourceFile | undefined>();

/** Reads each file once for all programs; the packages have declarations and no sources. */
function hostOf(asApplication: ts.CompilerOptions, made: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(asApplication, true);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => made.has(name) || (!isSource(name) && fileExists(name));
  host.readFile = (name) => made.get(name) ?? readFile(name);
  host.getSourceFile = (name, language, ...rest) => {
    const text = made.get(name);
    if (text !== undefined && kept.get(name)?.text === text) return kept.get(name);
    if (text !== undefined) kept.set(name, ts.createSourceFile(name, text, language, true));
    else if (!kept.has(name)) kept.set(name, getSourceFile(name, language, ...rest));
    return kept.get(name);
  };
  return host;
}

/** `file:line message`, with paths below the repository. */
export function describeProblem({ file, start, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, "\n");
  if (file === undefined) return text;
  return `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(start ?? 0).line + 1} ${text}`;
}

/** The package of npm that a problem is in; undefined for one of ours. */
export function foreignPackageOf({ file }: ts.Diagnostic): string | undefined {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file?.fileName ?? "")?.[1];
}
