// The declarations of packages as an application gets them, and applications that use them.
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { compile } from "../../tools/compile.mjs";
import { sourcePaths } from "../../tools/source-files.mjs";

const root = join(import.meta.dirname, "../..");
const made = join(import.meta.dirname, "dist/declarations");
const paths = Object.entries(sourcePaths(root));

/** Paths of tsconfig.json, with each source's `asWanted`. */
const pathsTo = (asWanted) => Object.fromEntries(paths.map(([name, path]) => [name, [asWanted(path)]]));

/**
 * Makes the declarations of packages from their sources, because nothing is built yet. The sources' own types are another check's.
 *
 * @param packages names without their scope, such as `core`.
 */
export async function emitDeclarations(packages) {
  rmSync(made, { recursive: true, force: true });
  const entries = paths.flatMap(([name, path]) =>
    packages.flatMap((one) =>
      name === "@cardea/*" || name.startsWith(`@cardea/${one}/`) ? [path.replace("*", one)] : [],
    ),
  );
  const emit = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    rootDir: root,
    outDir: made,
  };
  const files = ["packages/core/src/index.ts", ...entries].map((path) => join(root, path));
  const problems = await compile({ compilerOptions: { ...emit, jsx: "react-jsx" }, files });
  // They import what their sources import.
  for (const name of packages) {
    const installed = join(root, "packages", name, "node_modules");
    if (existsSync(installed)) symlinkSync(installed, join(made, "packages", name, "node_modules"));
  }
  return problems;
}

/**
 * Checks files as an application would, and resolves to what is wrong.
 *
 * @param files absolute paths.
 * @param skipLibCheck false also checks every declaration that they reach.
 */
export function checkApplication(files, { skipLibCheck = false } = {}) {
  const asApplication = {
    ...{ types: ["node"], jsx: "react-jsx", skipLibCheck, noImplicitOverride: false, esModuleInterop: true },
    ...{ exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false, verbatimModuleSyntax: false },
    paths: pathsTo((path) => join(made, path).replace(/\.tsx?$/, ".d.ts")),
  };
  return compile({ compilerOptions: asApplication, files });
}

/** Checks a source that is in no file. */
export async function checkSource(name, source) {
  const folder = join(import.meta.dirname, "dist/written");
  const file = join(folder, `${name.replace(/\W/g, "-")}.ts`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, source);
  return checkApplication([file], { skipLibCheck: true });
}

/** `file:line message`, with paths below the repository. */
export function describeProblem({ file, line, text }) {
  return `${relative(root, file)}:${line} ${text}`;
}

/** The package of npm that a problem is in; undefined for one of ours. */
export function foreignPackageOf({ file }) {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}
