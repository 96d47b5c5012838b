// Core with one provider, bundled, minified and gzipped, stays small: what an application loads before its first answer.
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { runAsScript } from "./report-problems.mjs";

const limit = 42_500; // bytes; what is measured stays below

/** The smallest useful application: core, and one provider written as an object. */
const application = (entry) => `
import { Auth } from ${JSON.stringify(entry)};
const provider = {
  id: "example", name: "Example", type: "oidc", issuer: "https://id.example.com", clientId: "id", clientSecret: "secret",
};
export default (request) => Auth(request, { secret: "0123456789abcdef0123456789abcdef", providers: [provider] });
`;

/**
 * Bundles the built core below `root`. What counts is the entry and all that it imports statically; what comes by `import()`
 * with the first request for it (decisions/012) is only reported, as is the size of everything in one file.
 */
export async function checkSize(root, { max = limit } = {}) {
  const files = await bundle(root, { splitting: true });
  const atOnce = staticallyImported(files);
  const bytes = sizeOf(atOnce);
  const said = `core with one provider: ${bytes} bytes minified and gzipped when it is loaded, less than ${max} wanted`;
  const later = `later, when asked for: ${sizeOf(files) - bytes}; in one file: ${sizeOf(await bundle(root, { splitting: false }))}`;
  const notes = [said, later];
  return bytes < max ? { problems: [], notes } : { problems: notes, notes: [] };
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

/** The entry, what it imports, what that imports, and so on; without `import()`. */
function staticallyImported(files) {
  const found = new Set(files.filter((file) => file.isEntry));
  for (const file of found) {
    const statics = file.imports.filter(({ kind }) => kind === "import-statement");
    for (const { path } of statics) found.add(files.find((other) => other.path === path));
  }
  return [...found];
}

function sizeOf(files) {
  return files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).byteLength, 0);
}

await runAsScript(import.meta, checkSize);
