// Builds the packages into packages/*/dist, all in one process: the code with tsup, the declarations with one TypeScript
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
import { build } from "tsup";
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
const TOGETHER = { core: ["errors", "index", "jwt-strategy"] };

/** Dependencies stay imports. */
async function buildCode(name, outDir) {
  const together = TOGETHER[name];
  await build({
    config: false,
    entry: entriesOf(name),
    outDir,
    clean: true,
    format: "esm",
    target: "es2022",
    splitting: true,
    silent: true,
    // Without the paths of tsconfig.json, which would put the sources of one package into another.
    tsconfig: join(root, "tsconfig.base.json"),
    skipNodeModulesBundle: true,
    noExternal: (BUNDLED[name] ?? []).map((dependency) => new RegExp(`^${dependency}(?:/|$)`)),
    esbuildOptions: (options) => {
      options.absWorkingDir = join(root, "packages", name);
      options.chunkNames = together === undefined ? "chunk-[hash]" : "[name]-[hash]";
      options.logLevel = "error";
    },
  });
  if (together !== undefined) await putTogether(name, outDir, together);
}

/** esbuild makes a file of each part that several imports share, and cannot be told which belong together. */
async function putTogether(name, outDir, together) {
  const built = readdirSync(outDir).filter((file) => file.endsWith(".js"));
  const fileOf = (start) => built.find((file) => file === `${start}.js` || file.startsWith(`${start}-`));
  const bundle = await rolldown({
    input: Object.fromEntries(Object.keys(entriesOf(name)).map((entry) => [entry, join(outDir, `${entry}.js`)])),
    platform: "neutral",
    external: (id) => !/^[./\0]/.test(id),
  });
  const { output } = await bundle.generate({
    format: "esm",
    chunkFileNames: "chunk-[hash].js",
    comments: { annotation: true, legal: true, jsdoc: false },
    codeSplitting: { groups: together.map((start, index) => groupOf(join(outDir, fileOf(start)), index)) },
  });
  await bundle.close();
  for (const file of built) rmSync(join(outDir, file));
  for (const { fileName, code } of output) writeFileSync(join(outDir, fileName), code);
}

/** A file and all that it imports statically, as one file. */
function groupOf(file, index) {
  const together = new Set([file]);
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
