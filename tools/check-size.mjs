// Limits the size of core with one provider, bundled, minified and compressed with brotli: the code that is loaded before the first
// response, and the total if a bundler writes a single file.
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { runAsScript } from "./report-problems.mjs";

/** Limits in bytes. */
const LIMITS = { eager: 18_000, oneFile: 79_950 };

/** The smallest useful application: core and one provider object. */
const application = (entry) => `
import { Auth } from ${JSON.stringify(entry)};
const provider = {
  id: "example", name: "Example", type: "oidc", issuer: "https://id.example.com", clientId: "id", clientSecret: "secret",
};
export default (request) => Auth(request, { secret: "0123456789abcdef0123456789abcdef", providers: [provider] });
`;

/**
 * Bundles the built core below `root` in two ways: split, counting only the entry and its static imports, and into one file,
 * counting everything (decisions/012).
 */
export async function checkSize(root, limits = LIMITS) {
  const files = await bundle(root, { splitting: true });
  const eager = sizeOf(staticallyImported(files));
  const oneFile = sizeOf(await bundle(root, { splitting: false }));
  const lines = [
    { text: `loaded at once: ${eager} bytes`, bytes: eager, limit: limits.eager },
    { text: `in one file: ${oneFile} bytes`, bytes: oneFile, limit: limits.oneFile },
  ].map(({ text, bytes, limit }) => ({ line: `core with one provider, ${text}, limit ${limit}`, fits: bytes < limit }));
  return {
    problems: lines.filter(({ fits }) => !fits).map(({ line }) => line),
    notes: [
      ...lines.filter(({ fits }) => fits).map(({ line }) => line),
      `loaded on use: ${sizeOf(files) - eager} bytes`,
    ],
  };
}

/** The files of the bundled application: `{ path, contents, inputs, imports, isEntry }`. */
async function bundle(root, { splitting }) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: application(join(root, "packages/core/dist/index.js")), resolveDir: root },
    absWorkingDir: root,
    outdir: "bundle",
    bundle: true,
    splitting,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    legalComments: "none",
    logLevel: "silent",
  });
  return Object.entries(metafile.outputs).map(([path, { inputs, imports, entryPoint }]) => {
    const { contents } = outputFiles.find((file) => file.path === join(root, path));
    return { path, contents, inputs, imports, isEntry: entryPoint === "<stdin>" };
  });
}

/** The entry and its direct and indirect imports, without `import()`. */
function staticallyImported(files) {
  const found = new Set(files.filter((file) => file.isEntry));
  for (const file of found) {
    const statics = file.imports.filter(({ kind }) => kind === "import-statement");
    for (const { path } of statics) found.add(files.find((other) => other.path === path));
  }
  return [...found];
}

function sizeOf(files) {
  return files.reduce((sum, { contents }) => sum + brotliCompressSync(contents).byteLength, 0);
}

await runAsScript(import.meta, checkSize);
