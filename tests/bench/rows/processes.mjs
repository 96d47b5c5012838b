// The rows that need a new process each time, a bundle or an installation.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { median } from "../measure-interleaved.mjs";

const STARTS = 15;
const folder = dirname(import.meta.dirname);
const repository = join(folder, "../..");

/** Yields the rows of start, bundle and installation. */
export async function* measureRows({ isAsked }) {
  if (isAsked("cold import + first request ÷ Auth.js")) yield coldStart();
  for (const [bundler, bundleInto] of Object.entries(BUNDLERS)) {
    const name = `reader in a bundle of ${bundler}: start + first read ÷ Auth.js`;
    if (isAsked(name)) yield coldReader(name, bundleInto);
  }
  if (isAsked("dearest anonymous request")) yield dearest();
  if (isAsked("one OAuth provider in one file, brotli, kB")) yield* bundles();
  if (isAsked("install of express and one provider")) yield* installations();
}

const APPLICATIONS = {
  "Auth.js": `import { Auth } from "@auth/core";`,
  here: `import { Auth } from "@cardea/core";`,
};

/** Milliseconds from the first line of the program to the answer of the first request. */
function coldStart() {
  const files = Object.fromEntries(
    Object.entries(APPLICATIONS).map(([library, line]) => [library, writeStart(library, line)]),
  );
  const ratio = compareStarts(files);
  for (const file of Object.values(files)) rmSync(file);
  const name = "cold import + first request ÷ Auth.js";
  return { name, floor: "–", ratios: { "Auth.js": 1, here: ratio }, goal: "≤ 0.4" };
}

/** Starts both programs in turns, each in a new process that prints its time. */
function compareStarts(files) {
  const times = { "Auth.js": [], here: [] };
  for (let n = 0; n < STARTS; n += 1) {
    for (const [library, file] of Object.entries(files)) {
      times[library].push(Number(execFileSync(process.execPath, [file], { encoding: "utf8" })));
    }
  }
  return median(times.here.map((time, n) => time / times["Auth.js"][n]));
}

/** What middleware contains: the reader of each library, and nothing that signs in where there is such an entry. */
const READERS = {
  "Auth.js": `import { Auth } from "@auth/core";
export const read = async (request, config) => (await Auth(request, config)).json();`,
  here: `import { createAuth } from "@cardea/core/read";
export const read = (request, config) => createAuth(config).auth(request);`,
};

/** Each bundles a program for a runtime that is not Node.js. */
const BUNDLERS = {
  esbuild: (entry, outfile) =>
    build({
      ...{ entryPoints: [entry], outfile, bundle: true, minify: true, format: "esm", platform: "neutral" },
      ...{ conditions: ["worker", "browser"], mainFields: ["module", "main"], tsconfigRaw: "{}", logLevel: "silent" },
    }),
  // Of Vite 8.
  rolldown: async (entry, file) => {
    const bundle = await rolldown({
      ...{ input: entry, platform: "neutral", tsconfig: false, logLevel: "silent" },
      resolve: { conditionNames: ["worker", "browser", "import"], mainFields: ["module", "main"] },
    });
    await bundle.write({ dir: dirname(file), entryFileNames: basename(file), minify: true });
    await bundle.close();
  },
};

/** A reader in a bundle: milliseconds from the first line of the program to the first session that is read. */
async function coldReader(name, bundleInto) {
  const own = mkdtempSync(join(folder, "reader-"));
  const files = {};
  for (const [library, source] of Object.entries(READERS)) {
    const path = (kind) => join(own, `${library.replace(/\W/g, "")}.${kind}.mjs`);
    writeFileSync(path("source"), source);
    await bundleInto(path("source"), path("bundle"));
    files[library] = path("start");
    writeFileSync(
      files[library],
      `const started = performance.now();
const { read } = await import(${JSON.stringify(path("bundle"))});
${CONFIG}
if ((await read(new Request("https://app.example.com/auth/session", { headers: { cookie: "a=b" } }), config)) !== null)
  throw new Error("there is a session");
console.log(performance.now() - started);
`,
    );
  }
  const ratio = compareStarts(files);
  rmSync(own, { recursive: true });
  return { name, floor: "–", ratios: { "Auth.js": 1, here: ratio }, goal: "< 1" };
}

const CONFIG = `const provider = { id: "op", name: "Provider", type: "oidc", issuer: "https://op.example.com", clientId: "id", clientSecret: "secret" };
const config = { secret: "bench-secret-of-forty-four-characters-000001", trustHost: true, basePath: "/auth", providers: [provider] };`;

function writeStart(library, line) {
  const file = join(folder, `start-${library.toLowerCase().replace(/\W/g, "")}.generated.mjs`);
  const imported = line.replace(/import (\{[^}]*\}) from (".*");/, "const $1 = await import($2);");
  writeFileSync(
    file,
    `const started = performance.now();
${imported}
${CONFIG}
const answer = await Auth(new Request("https://app.example.com/auth/session"), config);
if ((await answer.text()) !== "null") throw new Error("there is a session");
console.log(performance.now() - started);
`,
  );
  return file;
}

/** Of a seeded search (dearest.mjs), in CPU time. */
function dearest() {
  const script = join(folder, "dearest.mjs");
  const multiple = Number(execFileSync(process.execPath, [script, "--seconds", "30", "--ratio"], { encoding: "utf8" }));
  return {
    name: "dearest anonymous request ÷ the 404 of an unknown action",
    floor: "–",
    ratios: { here: multiple },
    goal: "< 3",
  };
}

async function* bundles() {
  const sizes = {};
  for (const [library, line] of Object.entries(APPLICATIONS)) {
    sizes[library] = { oneFile: await bundle(line, false), eager: await bundle(line, true) };
  }
  const kB = (bytes) => bytes / 1000;
  const of = (which) => ({ "Auth.js": kB(sizes["Auth.js"][which]), here: kB(sizes.here[which]) });
  yield { name: "one OAuth provider in one file, brotli, kB", floor: "–", ratios: of("oneFile"), goal: "≤ 38" };
  yield { name: "of it loaded at once, brotli, kB", floor: "–", ratios: of("eager"), goal: "≤ 16.5" };
}

async function bundle(line, splitting) {
  const contents = `${line}
const provider = { id: "op", name: "Provider", type: "oidc", issuer: "https://op.example.com", clientId: "id", clientSecret: "secret" };
export default (request) => Auth(request, { secret: "0123456789abcdef0123456789abcdef", providers: [provider] });`;
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder },
    absWorkingDir: folder,
    // Built packages, not the sources that tsconfig.json names.
    tsconfigRaw: "{}",
    outdir: "bundle",
    bundle: true,
    splitting,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    conditions: ["worker", "browser"],
    mainFields: ["module", "main"],
    target: "es2022",
    legalComments: "none",
    logLevel: "silent",
  });
  const { outputs } = metafile;
  const loaded = new Set(Object.keys(outputs).filter((path) => outputs[path].entryPoint === "<stdin>"));
  for (const path of loaded)
    for (const { kind, path: next } of outputs[path].imports) if (kind === "import-statement") loaded.add(next);
  const files = outputFiles.filter(({ path }) => loaded.has(path.slice(folder.length + 1)));
  return files.reduce((sum, { contents: bytes }) => sum + brotliCompressSync(bytes).byteLength, 0);
}

/** Installs the packed packages of this repository, and what Auth.js needs for the same, each into an empty folder. */
async function* installations() {
  const packed = mkdtempSync(join(tmpdir(), "cardea-bench-"));
  const results = {};
  try {
    const ours = ["core", "express", "providers-google"].map((name) => {
      const cwd = join(repository, "packages", name);
      const output = execFileSync("pnpm", ["pack", "--pack-destination", packed], { cwd, encoding: "utf8" });
      return join(packed, basename(output.trim().split("\n").at(-1)));
    });
    results.here = install(packed, "here", ours);
    results["Auth.js"] = install(packed, "auth-js", ["@auth/express@0.12.3"]);
  } catch (error) {
    console.error(`The installation could not be measured: ${error.message.split("\n")[0]}`);
    return;
  } finally {
    rmSync(packed, { recursive: true });
  }
  const of = (which) => ({ "Auth.js": results["Auth.js"][which], here: results.here[which] });
  yield { name: "install of express and one provider, files", floor: "–", ratios: of("files"), goal: "≤ 500" };
  yield { name: "install of express and one provider, kB", floor: "–", ratios: of("kB"), goal: "≤ 3,000" };
}

function install(parent, name, packages) {
  const target = join(parent, name);
  const options = [
    "--prefix",
    target,
    "--omit=peer",
    "--legacy-peer-deps",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  execFileSync("npm", ["install", ...options, ...packages], { stdio: "ignore" });
  const files = readdirSync(join(target, "node_modules"), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  return { files: files.length, kB: Math.round(bytes / 1000) };
}
