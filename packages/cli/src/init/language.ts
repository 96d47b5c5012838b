/** An application, as far as the files that `init` writes depend on it. */
export interface Project {
  /** Whether `init` creates it. */
  readonly isNew: boolean;
  readonly isTypeScript: boolean;
  /** Whether its `.js` files are ECMAScript modules. */
  readonly isModule: boolean;
  /** Where its sources are. */
  readonly source: "" | "src/" | "server/";
  /** The command that starts it in development, as a list. */
  readonly start: readonly string[] | undefined;
}

/** The syntax of the files that are written. */
export interface Language {
  readonly isTyped: boolean;
  readonly ending: "ts" | "js" | "mjs";
  /** A line that loads `what` (`{ names }`, or the default export) of a module. */
  readonly load: (what: string, from: string) => string;
  /** A line that exports a value by a name. */
  readonly exported: (name: string, value: string) => string;
  /** The start of a line that exports members of an object. */
  readonly exportedMembers: (names: string) => string;
  /** How a file imports another one beside it. */
  readonly beside: (name: string) => string;
  /** An environment variable that must be set. */
  readonly variable: (name: string) => string;
}

/**
 * Returns the syntax of an application. New files that Node.js itself runs end in `.mjs`, so that they are modules in every package; what
 * a bundler reads ends in `.js`.
 */
export function languageOf({ isNew, isTypeScript, isModule }: Project, isBundled: boolean): Language {
  const isCommonJs = !isNew && !isBundled && !isTypeScript && !isModule;
  const ending = isTypeScript ? "ts" : isNew && !isBundled ? "mjs" : "js";
  const suffix = isTypeScript && isModule && !isBundled ? ".js" : isNew || (isModule && !isBundled) ? `.${ending}` : "";
  return {
    isTyped: isTypeScript,
    ending,
    load: (what, from) =>
      isCommonJs ? `const ${what} = require(${JSON.stringify(from)});` : `import ${what} from ${JSON.stringify(from)};`,
    exported: (name, value) =>
      isCommonJs ? `module.exports = { ${name}: ${value} };` : `export const ${name} = ${value};`,
    exportedMembers: (names) => (isCommonJs ? "module.exports =" : `export const { ${names} } =`),
    beside: (name) => `./${name}${suffix}`,
    variable: (name) => (isTypeScript ? `String(process.env.${name})` : `process.env.${name}`),
  };
}

/** Lines of files by path. */
export type Files = Readonly<Record<string, readonly string[]>>;

/** The text of a file. */
export const textOf = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

/** The folder of the documentation. */
export const DOCS = "https://github.com/cardea-auth/cardea/blob/main/docs";
