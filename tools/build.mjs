// Builds the packages into packages/*/dist in one process: the code with rolldown, the declarations with one TypeScript program. The
// entry points come from `exports` in a package's package.json: `./dist/jwt.js` is built from `src/jwt.ts`.
//
//   node tools/build.mjs                        every package
//   node tools/build.mjs core express           only these
//   node tools/build.mjs --no-types             code only, which takes a second: for the demo
//   node tools/build.mjs client --out=folder    into folder/client instead of packages/client/dist; for tests
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { argv } from "node:process";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { compile } from "./compile.mjs";
import { packageNames, publicEntries, readJson } from "./source-files.mjs";

const root = dirname(import.meta.dirname);

/** The entry points of a package: name of the built file → source. */
const entriesOf = (name) =>
  Object.fromEntries(publicEntries(root, name).map(({ entry, source }) => [entry, join(root, source)]));

/** Development dependencies whose used parts are bundled into the package's files (decisions/030). */
const BUNDLED = { core: ["cookie"] };

/**
 * Sources that are bundled with their static imports into one file each, except for imports that an earlier file already contains.
 * They cover what browsers import, what every server loads and what reading a session needs, so that startup reads few files. The
 * rest is loaded on demand (decisions/012).
 */
const TOGETHER = { core: ["errors.ts", "index.ts", "session/jwt-strategy.ts"] };

/** Dependencies are not bundled. */
async function buildCode(name, dir) {
  const folder = join(root, "packages", name);
  const bundled = BUNDLED[name] ?? [];
  const require = createRequire(join(folder, "package.json"));
  const together = (TOGETHER[name] ?? []).map((file) => join(folder, "src", file));
  const bundle = await rolldown({
    cwd: folder,
    input: entriesOf(name),
    platform: "neutral",
    // Without the `paths` of tsconfig.json, which would bundle the sources of one package into another.
    tsconfig: join(root, "tsconfig.base.json"),
    transform: { target: "es2022" },
    optimization: { inlineConst: { mode: "all", pass: 2 } },
    resolve: { alias: Object.fromEntries(bundled.map((id) => [id, require.resolve(id)])) },
    external: (id) => !/^[./\0]/.test(id) && !bundled.includes(id),
    logLevel: "silent",
  });
  await bundle.write({
    dir,
    cleanDir: true,
    chunkFileNames: "chunk-[hash].js",
    comments: { annotation: true, legal: true, jsdoc: false },
    codeSplitting: {
      groups: together.map((file, index) => ({ name: `${index}`, test: (id) => id === file, priority: -index })),
    },
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
  // For `cardea explain`, which needs no internet access.
  if (names.includes("core"))
    for (const page of ["errors.md", "warnings.md"]) cpSync(join(root, "docs", page), join(outdirOf("core"), page));
  if (values.types) await buildTypes(names, outdirOf);
}
