import { Node, type SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import { usesOfExport } from "./export-uses.ts";
import { unwrap } from "./object-literals.ts";

const MAIN = /^@cardea\/(?:next(?:\/middleware)?|express|hono|fastify|sveltekit|h3|core(?:\/read)?)$/;
const MAKER = /^(?:createAuth|SvelteKitAuth|initAuthConfig)$/;

/** Their default export is `createAuth`. */
const WITH_DEFAULT = ["@cardea/next", "@cardea/next/middleware"];

/** The expressions that are `createAuth` in a file, as they are written. */
export interface Makers {
  readonly file: SourceFile;
  readonly names: readonly string[];
}

/**
 * The files that have `createAuth`: as `createAuth`, `NextAuth` of a default import, `Module.default` of a namespace, names from
 * `require()` and `import()`, and names that another file of the application re-exports.
 */
export function makersIn(application: Pick<Application, "project" | "resolve">): readonly Makers[] {
  const files = application.project.getSourceFiles();
  // Imports of other files are resolved only where one of them passes the package on.
  const isPassedOn = files.some((file) => /\bexport\b[^;]*\bfrom\s*["']@cardea\//.test(file.getFullText()));
  const found = files.filter((file) => isPassedOn || file.getFullText().includes("@cardea/"));
  return found.flatMap((file): Makers[] => {
    const names = [...new Set([...fromImports(application, file), ...fromCalls(file)])];
    return names.length === 0 ? [] : [{ file, names }];
  });
}

/** The uses of `Auth` of the core, which handles one request with a configuration. */
export function handlerUses(application: Pick<Application, "project" | "resolve">): readonly Node[] {
  const isPossible = (file: SourceFile) => /\bAuth\b/.test(file.getFullText()) && file.getFullText().includes(CORE);
  if (!application.project.getSourceFiles().some(isPossible)) return [];
  return usesOfExport(application, { from: [CORE], names: ["Auth"] });
}

const CORE = "@cardea/core";

const isMaker = (module: string, name: string): boolean =>
  MAKER.test(name) || (WITH_DEFAULT.includes(module) && name === "default");

const membersOf = (module: string, local: string): readonly string[] =>
  ["createAuth", "SvelteKitAuth", "initAuthConfig", ...(WITH_DEFAULT.includes(module) ? ["default"] : [])].map(
    (name) => `${local}.${name}`,
  );

function fromImports({ resolve }: Pick<Application, "resolve">, file: SourceFile): readonly string[] {
  return file.getImportDeclarations().flatMap((declaration): readonly string[] => {
    const module = declaration.getModuleSpecifierValue();
    const passed = MAIN.test(module) ? undefined : reExportsOf(resolve(file, module));
    const isIt = (name: string) => (passed === undefined ? isMaker(module, name) : passed.has(name));
    const standard = declaration.getDefaultImport()?.getText();
    const space = declaration.getNamespaceImport()?.getText();
    const named = declaration.getNamedImports().filter((one) => isIt(one.getName()));
    return [
      ...(standard !== undefined && isIt("default") ? [standard] : []),
      ...(space === undefined
        ? []
        : passed === undefined
          ? membersOf(module, space)
          : [...passed].map((name) => `${space}.${name}`)),
      ...named.map((one) => (one.getAliasNode() ?? one.getNameNode()).getText()),
    ];
  });
}

/** The names under which a file exports `createAuth` of a package. */
function reExportsOf(file: SourceFile | undefined): ReadonlySet<string> {
  const names = (file?.getExportDeclarations() ?? []).flatMap((declaration): readonly string[] => {
    const module = declaration.getModuleSpecifierValue() ?? "";
    if (!MAIN.test(module)) return [];
    if (declaration.isNamespaceExport()) return ["createAuth", "SvelteKitAuth", "initAuthConfig"];
    const named = declaration.getNamedExports().filter((one) => isMaker(module, one.getName()));
    return named.map((one) => (one.getAliasNode() ?? one.getNameNode()).getText());
  });
  return new Set(names);
}

/** `import X = require()`, and constants with `require()` or `await import()`. */
function fromCalls(file: SourceFile): readonly string[] {
  const equals = file.getStatements().flatMap((statement): readonly string[] => {
    if (!Node.isImportEqualsDeclaration(statement)) return [];
    const reference = statement.getModuleReference();
    const specifier = Node.isExternalModuleReference(reference) ? reference.getExpression() : undefined;
    const module = Node.isStringLiteral(specifier) ? specifier.getLiteralValue() : "";
    return MAIN.test(module) ? membersOf(module, statement.getName()) : [];
  });
  const constants = file.getVariableDeclarations().flatMap((declaration): readonly string[] => {
    const value = declaration.getInitializer();
    const given = value && withoutAwait(value);
    const target = declaration.getNameNode();
    if (Node.isPropertyAccessExpression(given)) {
      const module = moduleOf(withoutAwait(given.getExpression()));
      return module !== undefined && isMaker(module, given.getName()) ? [target.getText()] : [];
    }
    const module = given && moduleOf(given);
    if (module === undefined) return [];
    if (!Node.isObjectBindingPattern(target)) return membersOf(module, target.getText());
    const elements = target
      .getElements()
      .filter((one) => isMaker(module, (one.getPropertyNameNode() ?? one.getNameNode()).getText()));
    return elements.map((one) => one.getName());
  });
  return [...equals, ...constants];
}

function withoutAwait(node: Node): Node {
  const inner = unwrap(node);
  return Node.isAwaitExpression(inner) ? unwrap(inner.getExpression()) : inner;
}

/** The module of a call of `require()` or `import()`, if it is one with `createAuth`. */
function moduleOf(node: Node): string | undefined {
  if (!Node.isCallExpression(node) || !/^(?:require|import)$/.test(node.getExpression().getText())) return undefined;
  const [specifier] = node.getArguments();
  const module = Node.isStringLiteral(specifier) ? specifier.getLiteralValue() : "";
  return MAIN.test(module) ? module : undefined;
}
