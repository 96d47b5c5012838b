// Builds the packages into packages/*/dist in one process: the code with tsup, the declarations with one TypeScript program. The
// entry points come from `exports` in a package's package.json: `./dist/jwt.js` is built from `src/jwt.ts`.
//
//   node tools/build.mjs                        every package
//   node tools/build.mjs core express           only these
//   node tools/build.mjs --no-types             code only, which takes a second: for the demo
//   node tools/build.mjs client --out=folder    into folder/client instead of packages/client/dist; for tests
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { argv } from "node:process";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { build } from "tsup";
import { writeLlms } from "../docs/.vitepress/llms.mjs";
import { readMarkdownPage } from "../docs/.vitepress/markdown-page.mjs";
import { compile } from "./compile.mjs";
import { packageNames, publicEntries, readJson } from "./source-files.mjs";

const root = dirname(import.meta.dirname);

/** The entry points of a package: name of the built file → source. */
const entriesOf = (name) =>
  Object.fromEntries(publicEntries(root, name).map(({ entry, source }) => [entry, join(root, source)]));

/**
 * Development dependencies whose used parts are bundled into the package's files; the package is in TOGETHER. Applications cannot
 * update them, so `third-party-licenses.txt` names their versions, and `npm run test:all` reports newer ones. Our own writer of
 * cookies would repeat edge cases that another project has found, for 1 kB. zod is not among them: the checks of the configuration
 * run before the first response of every server, and going through objects took 15 kB of zod and takes 40 lines of ours.
 */
const BUNDLED = { core: ["cookie"] };

/**
 * Sources that are bundled with their static imports into one file each, except for imports that an earlier file already contains.
 * They cover what browsers import, what a reader and every server load and what reading a session needs, so that startup reads few
 * files, and so that a reader brings nothing of what the default entry loads. `operations.js` then only names others' exports, of which
 * bundlers take those that are used. The rest is loaded on demand (decisions/012).
 */
const TOGETHER = {
  core: [
    ["errors"],
    ["read", "protocol/removed-address"],
    ["http/add-cookies"],
    ["server/log-warning"],
    ["http/log-error"],
    ["index"],
    ["session/jwt-strategy"],
    ["operations"],
  ],
};

/** Dependencies are not bundled. */
async function buildCode(name, outDir) {
  const together = TOGETHER[name];
  if (together !== undefined) return buildTogether(name, outDir, together);
  await build({
    config: false,
    entry: entriesOf(name),
    outDir,
    clean: true,
    format: "esm",
    target: "es2022",
    splitting: true,
    silent: true,
    // Without the `paths` of tsconfig.json, which would bundle the sources of one package into another.
    tsconfig: join(root, "tsconfig.base.json"),
    skipNodeModulesBundle: true,
    esbuildOptions: (options) => {
      options.absWorkingDir = join(root, "packages", name);
      options.chunkNames = "chunk-[hash]";
      options.logLevel = "error";
    },
  });
}

/**
 * esbuild would write a separate file for each part that several entry points share, and cannot be told to group them. It would also
 * keep the unused parts of CommonJS dependencies.
 */
async function buildTogether(name, outDir, together) {
  const bundled = BUNDLED[name] ?? [];
  const source = (inside) => join(root, "packages", name, "src", `${inside}.ts`);
  const groups = together.map((starts, index) => {
    const sources = starts.map(source);
    return { name: `together-${index}`, test: (id) => sources.includes(id), priority: -index };
  });
  const bundle = await rolldown({
    input: entriesOf(name),
    platform: "neutral",
    tsconfig: false,
    transform: { target: "es2022" },
    resolve: { mainFields: ["module", "main"] },
    // What one entry point loads on demand, another one may need at once.
    checks: { ineffectiveDynamicImport: false },
    // A bundler keeps every export of a file that is loaded on demand: such a source stays a file of its own.
    experimental: { chunkOptimization: { mergeCommonChunks: false } },
    external: (id) => !/^[./\0]/.test(id) && !bundled.includes(id),
  });
  await bundle.write({
    dir: outDir,
    cleanDir: true,
    chunkFileNames: "chunk-[hash].js",
    comments: { annotation: true, legal: true, jsdoc: false },
    codeSplitting: { groups },
  });
  await bundle.close();
}

/** Name, version and licence of each package that is partly bundled into these files. */
function writeNotices(name, outdir) {
  const notices = (BUNDLED[name] ?? []).map((dependency) => {
    const folder = join(root, "packages", name, "node_modules", dependency);
    const { version } = readJson(folder, "package.json");
    return `Parts of ${dependency} ${version}:\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
  });
  if (notices.length > 0) writeFileSync(join(outdir, "third-party-licenses.txt"), notices.join("\n\n"));
}

/** Pages about the project, of no use in an application. */
const NOT_SHIPPED = new Set(["asvs.md", "benchmarks.md", "comparison.md", "review.md", "tour.md"]);

/** The guide of this version, for `cardea explain` and for coding agents, which read it in `node_modules`; and their skill. */
function writeGuide(outdir) {
  const pages = new Set(
    readdirSync(join(root, "docs")).filter((page) => page.endsWith(".md") && !NOT_SHIPPED.has(page)),
  );
  mkdirSync(join(outdir, "docs"), { recursive: true });
  const texts = new Map([...pages].map((page) => [page, readMarkdownPage(page, pages)]));
  for (const [page, text] of texts) writeFileSync(join(outdir, "docs", page), text);
  writeFileSync(join(outdir, "docs/llms.txt"), writeLlms(texts));
  cpSync(join(root, "skills"), join(outdir, "skills"), { recursive: true });
}

/** Uses one program for all packages: each declaration file is emitted once, in its own package. */
async function buildTypes(names, outdirOf) {
  const outDir = mkdtempSync(join(tmpdir(), "cardea-types-"));
  try {
    const emit = {
      noEmit: false,
      declaration: true,
      // Types are checked by the step `types` of `npm test`; here only errors that prevent declarations count.
      noCheck: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      rootDir: root,
      outDir,
    };
    const files = names.flatMap((name) => Object.values(entriesOf(name)));
    const problems = await compile({ compilerOptions: emit, files });
    for (const { file, line, text } of problems) console.error(`${file}:${line} ${text}`);
    if (problems.length > 0) process.exitCode = 1;
    for (const name of names) writeDeclarations(name, join(outDir, "packages", name, "src"), outdirOf(name));
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** Writes the declarations that an application can reach: those of the entry points and their imports. */
function writeDeclarations(name, from, to) {
  const reached = new Set(Object.keys(entriesOf(name)));
  for (const inside of reached) {
    if (!existsSync(join(from, `${inside}.d.ts`))) continue;
    // Sources import each other as `./name.ts`; published files are named `./name.js`.
    const rename = (_, before, path) => {
      reached.add(posix.join(posix.dirname(inside), path));
      return `${before}${path}.js`;
    };
    const text = readFileSync(join(from, `${inside}.d.ts`), "utf8");
    mkdirSync(dirname(join(to, inside)), { recursive: true });
    const renamed = text.replace(/((?:from |import\(|import )["'])(\.{1,2}\/[^"']+)\.ts(?=["'])/g, rename);
    writeFileSync(join(to, `${inside}.d.ts`), renamed);
  }
}

if (argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    options: { types: { type: "boolean", default: true }, out: { type: "string" } },
    allowNegative: true,
    allowPositionals: true,
  });
  const names = positionals.length > 0 ? positionals : packageNames(root);
  const outdirOf = (name) => (values.out ? join(values.out, name) : join(root, "packages", name, "dist"));
  await Promise.all(names.map((name) => buildCode(name, outdirOf(name))));
  for (const name of names) writeNotices(name, outdirOf(name));
  if (names.includes("core")) writeGuide(outdirOf("core"));
  if (values.types) await buildTypes(names, outdirOf);
}
