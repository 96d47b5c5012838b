// Limits the size of core with one provider, bundled, minified and compressed with brotli: the code that is loaded before the first
// response, and the total if a bundler writes a single file (decisions/012).
import { join, relative } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { runAsScript } from "./report-problems.mjs";

/** Limits in bytes. */
const LIMITS = { eager: 18_000, oneFile: 81_200 };

/** The smallest useful application: core and one provider object. */
const application = (entry) => `
import { Auth } from ${JSON.stringify(entry)};
const provider = {
  id: "example", name: "Example", type: "oidc", issuer: "https://id.example.com", clientId: "id", clientSecret: "secret",
};
export default (request) => Auth(request, { secret: "0123456789abcdef0123456789abcdef", providers: [provider] });
`;

async function checkSize(root) {
  const files = await bundle(root, { splitting: true });
  const loaded = new Set(Object.values(files).filter(({ entryPoint }) => entryPoint === "<stdin>"));
  for (const { imports } of loaded) {
    for (const { path, kind } of imports) if (kind === "import-statement") loaded.add(files[path]);
  }
  const eager = sizeOf([...loaded]);
  const oneFile = sizeOf(Object.values(await bundle(root, { splitting: false })));
  const lines = [
    { line: `loaded at once: ${eager} bytes, limit ${LIMITS.eager}`, fits: eager < LIMITS.eager },
    { line: `in one file: ${oneFile} bytes, limit ${LIMITS.oneFile}`, fits: oneFile < LIMITS.oneFile },
    { line: `loaded on use: ${sizeOf(Object.values(files)) - eager} bytes`, fits: true },
  ];
  const ofFitting = (wanted) =>
    lines.filter(({ fits }) => fits === wanted).map(({ line }) => `core and a provider, ${line}`);
  return { problems: ofFitting(false), notes: ofFitting(true) };
}

/** The files of the bundled application by path, as esbuild describes them, with their `contents`. */
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
  for (const { path, contents } of outputFiles) metafile.outputs[relative(root, path)].contents = contents;
  return metafile.outputs;
}

function sizeOf(files) {
  return files.reduce((sum, { contents }) => sum + brotliCompressSync(contents).byteLength, 0);
}

await runAsScript(import.meta, checkSize);
