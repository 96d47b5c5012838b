// Builds the packages into packages/*/dist, all in one process: the code with rolldown, the declarations with one TypeScript
// program. What a package builds is read from `exports` of its package.json: `./dist/jwt.js` is built from `src/jwt.ts`.
//
//   node tools/build.mjs                        every package
//   node tools/build.mjs core express           these
//   node tools/build.mjs --no-types             code only, which takes a second: for the demo
//   node tools/build.mjs client --out=folder    into folder/client instead of packages/client/dist; for tests
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import ts from "typescript";

const root = dirname(import.meta.dirname);

const manifestOf = (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));

/** The entry points of a package: name of the built file → source. */
export function entriesOf(name) {
  const { exports } = manifestOf(name);
  const built = Object.values(exports).flatMap(
    (target) => /^\.\/dist\/(.+)\.js$/.exec(target.default ?? "")?.[1] ?? [],
  );
  return Object.fromEntries(built.map((entry) => [entry, join(root, "packages", name, "src", `${entry}.ts`)]));
}

/** Development dependencies of which the used parts become part of the package's own files (decisions/030). */
export const BUNDLED = { core: ["cookie"] };

/**
 * Sources of which the static imports become one file each, without what a file before has, so that a start reads few files: what code in
 * browsers imports, what every server loads, and what reading a session takes. The rest is loaded on demand (decisions/012).
 */
const TOGETHER = { core: ["errors", "index", "session/jwt-strategy"] };

/** Dependencies stay imports. */
async function buildCode(name, outDir) {
  const entries = entriesOf(name);
  rmSync(outDir, { recursive: true, force: true });
  const bundled = BUNDLED[name] ?? [];
  const isBundled = (id) => bundled.some((dependency) => id === dependency || id.startsWith(`${dependency}/`));
  const bundle = await rolldown({
    input: entries,
    cwd: join(root, "packages", name),
    platform: "neutral",
    resolve: { mainFields: ["module", "main"] },
    external: (id) => isDependency(id) && !isBundled(id),
    transform: { target: "es2022" },
    // Without the paths of tsconfig.json, which would put the sources of one package into another.
    tsconfig: join(root, "tsconfig.base.json"),
    // `"use client"` stays where it is: src/react.test.ts of the client shows it.
    onLog: (level, log, report) => log.code === "MODULE_LEVEL_DIRECTIVE" || report(level, log),
  });
  const sourceOf = (path) => join(root, "packages", name, "src", `${path}.ts`);
  const groups = (TOGETHER[name] ?? []).map((path, index) => groupOf(sourceOf(path), index));
  const comments = { annotation: true, legal: true, jsdoc: false };
  await bundle.write({
    dir: outDir,
    format: "esm",
    chunkFileNames: "chunk-[hash].js",
    comments,
    codeSplitting: { groups },
  });
  await bundle.close();
}

/** Whether a package is imported. What only a rewritten syntax needs is no dependency of ours. */
function isDependency(id) {
  if (id.startsWith("@oxc-project/")) throw new Error(`${id} would be needed: write what is rewritten in another way`);
  return !/^[./\0]/.test(id);
}

/** A source and all that it imports statically, as one file. */
function groupOf(source, index) {
  const together = new Set([source]);
  const name = (id, context) => {
    if (together.size === 1) {
      for (const one of together) for (const next of context.getModuleInfo(one)?.importedIds ?? []) together.add(next);
    }
    return together.has(id) ? `together-${index}` : null;
  };
  return { name, debugName: `together-${index}`, priority: -index };
}

/** Name, version and licence of each package of which parts are in these files. */
function writeNotices(name, outdir) {
  const notices = (BUNDLED[name] ?? []).map((dependency) => {
    const folder = join(root, "packages", name, "node_modules", dependency);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `Parts of ${dependency} ${version}:\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
  });
  if (notices.length > 0) writeFileSync(join(outdir, "third-party-licenses.txt"), notices.join("\n\n"));
}

/** One program for all packages: each declaration file is emitted once, beside those it imports, in its own package. */
function buildTypes(names, outdirOf) {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram(
    names.flatMap((name) => Object.values(entriesOf(name))),
    { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true, rootDir: root },
  );
  const emitted = new Map();
  const { diagnostics, emitSkipped } = program.emit(undefined, (path, text) => {
    const [, name, inside] = /\/packages\/([^/]+)\/src\/(.+)$/.exec(path) ?? [];
    if (names.includes(name)) emitted.set(join(outdirOf(name), inside), withBuiltNames(text));
  });
  const entries = names.flatMap((name) =>
    Object.keys(entriesOf(name)).map((entry) => join(outdirOf(name), `${entry}.d.ts`)),
  );
  for (const path of reachable(entries, emitted)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, emitted.get(path));
  }
  for (const { file, start = 0, messageText } of diagnostics) {
    const place = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : "";
    console.error(place + ts.flattenDiagnosticMessageText(messageText, "\n"));
  }
  if (emitSkipped || diagnostics.length > 0) process.exitCode = 1;
}

/** The declarations that an application can see: those of the entry points, and what they import. */
function reachable(entries, emitted) {
  const found = new Set(entries.filter((path) => emitted.has(path)));
  for (const path of found) {
    for (const [, imported] of emitted.get(path).matchAll(/(?:from |import\(|import )["'](\.{1,2}\/[^"']+)\.js["']/g)) {
      const next = join(dirname(path), `${imported}.d.ts`);
      if (emitted.has(next)) found.add(next);
    }
  }
  return found;
}

/** Sources import each other as `./name.ts`; what is published is called `./name.js`. */
function withBuiltNames(text) {
  return text.replace(/((?:from |import\(|import )["']\.{1,2}\/[^"']+)\.ts(["'])/g, "$1.js$2");
}

if (argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    options: { types: { type: "boolean", default: true }, out: { type: "string" } },
    allowNegative: true,
    allowPositionals: true,
  });
  const names = positionals.length > 0 ? positionals : readdirSync(join(root, "packages"));
  const outdirOf = (name) => (values.out ? join(values.out, name) : join(root, "packages", name, "dist"));
  await Promise.all(names.map((name) => buildCode(name, outdirOf(name))));
  for (const name of names) writeNotices(name, outdirOf(name));
  // Errors link to this page on the web; it is shipped as well, for machines that cannot reach the web.
  if (names.includes("core")) cpSync(join(root, "docs/errors.md"), join(outdirOf("core"), "errors.md"));
  if (values.types) buildTypes(names, outdirOf);
}
