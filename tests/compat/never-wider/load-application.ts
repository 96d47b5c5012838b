import { dirname, posix } from "node:path";
import ts from "typescript";

/** Modules of packages, by specifier. */
export type Modules = Readonly<Record<string, unknown>>;

const ENDINGS = ["", ".ts", ".js", "/index.ts"];

/**
 * Runs a small application from its sources: each file once, as CommonJS. A module or an export that is missing fails, as the linker of
 * modules does.
 *
 * @returns the exports of one of its files
 */
export function loadApplication(files: ReadonlyMap<string, string>, modules: Modules, entry: string): Loaded {
  const loaded = new Map<string, Loaded>();
  const load = (path: string): Loaded => {
    const known = loaded.get(path);
    if (known !== undefined) return known;
    const exports: Loaded = {};
    loaded.set(path, exports);
    const module = { exports };
    const require = (specifier: string): unknown => {
      if (!specifier.startsWith(".")) return packageOf(modules, specifier);
      const target = posix.join(dirname(path), specifier);
      const found = ENDINGS.map((ending) => target + ending).find((one) => files.has(one));
      if (found === undefined) throw new Error(`Cannot find ${specifier}, imported by ${path}.`);
      return load(found);
    };
    const text = files.get(path) ?? "";
    checkImports(text, path, require);
    new Function("exports", "module", "require", compile(text, path))(exports, module, require);
    if (module.exports !== exports) Object.assign(exports, module.exports);
    return exports;
  };
  return load(entry);
}

/** The exports of a file. */
export type Loaded = Record<string, unknown>;

function packageOf(modules: Modules, specifier: string): unknown {
  const found = modules[specifier];
  if (found === undefined) throw new Error(`Cannot find package ${specifier}.`);
  return found;
}

const compiled = new Map<string, string>();

function compile(text: string, path: string): string {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  });
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(first.messageText, "\n")}`);
  compiled.set(text, outputText);
  return outputText;
}

/** Fails for a named import that its module does not export. */
function checkImports(text: string, path: string, require: (specifier: string) => unknown): void {
  for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.ES2022).statements) {
    const clause = ts.isImportDeclaration(statement) && !statement.importClause?.isTypeOnly ? statement : undefined;
    const named = clause?.importClause?.namedBindings;
    if (clause === undefined || named === undefined || !ts.isNamedImports(named)) continue;
    const exports = Object(require(String(Object(clause.moduleSpecifier).text)));
    for (const { isTypeOnly, propertyName, name } of named.elements) {
      const wanted = (propertyName ?? name).text;
      if (!isTypeOnly && !(wanted in exports)) throw new Error(`${path} imports ${wanted}, which is not exported.`);
    }
  }
}
