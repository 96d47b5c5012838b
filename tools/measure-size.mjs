// Measures the smallest useful applications: bundled, minified and compressed with brotli, in bytes. The packages must be built.
import { join, relative } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";

const PROVIDER = `{
  id: "example", name: "Example", type: "oidc", issuer: "https://id.example.com", clientId: "id", clientSecret: "secret",
}`;

/** Core with one provider. */
const server = (root) => `
import { Auth } from ${JSON.stringify(join(root, "packages/core/dist/index.js"))};
export default (request) => Auth(request, { secret: "0123456789abcdef0123456789abcdef", providers: [${PROVIDER}] });
`;

/** The kernel with the method of one provider, and its pages. Built from the sources, because no package exports it. */
const kernel = (root) => `
import { createAuthWith } from ${JSON.stringify(join(root, "packages/core/src/kernel.ts"))};
import { oauth } from ${JSON.stringify(join(root, "packages/core/src/oauth/method.ts"))};
export const { handlers, auth } = createAuthWith({ methods: [oauth] }, { providers: [${PROVIDER}] });
`;

/** An application of which only `auth` is used: the middleware of Next.js, and any reader. */
const reader = (root, entry) => `
import { createAuth } from ${JSON.stringify(join(root, "packages", entry))};
export const { auth } = createAuth({ providers: [${PROVIDER}] });
`;

/** Sizes by the names that numbers.json gives them. */
export async function measureSizes(root) {
  const files = await bundle(root, server(root), { splitting: true });
  const loaded = new Set(Object.values(files).filter(({ entryPoint }) => entryPoint === "<stdin>"));
  for (const { imports } of loaded) {
    for (const { path, kind } of imports) if (kind === "import-statement") loaded.add(files[path]);
  }
  return {
    "brotli: core, loaded at start": sizeOf([...loaded]),
    "brotli: core with one provider": sizeOf(Object.values(await bundle(root, server(root)))),
    "brotli: kernel with one provider": sizeOf(Object.values(await bundle(root, kernel(root)))),
    "brotli: @cardea/core/read": sizeOf(Object.values(await bundle(root, reader(root, "core/dist/read.js")))),
    "brotli: middleware of Next.js": sizeOf(Object.values(await bundle(root, reader(root, "next/dist/middleware.js")))),
    "brotli: auth of @cardea/next": sizeOf(Object.values(await bundle(root, reader(root, "next/dist/index.js")))),
  };
}

/** The files of a bundled application by path, as esbuild describes them, with their `contents`. */
async function bundle(root, contents, { splitting = false } = {}) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
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
    // What the framework brings.
    external: ["next/*", "react"],
    target: "es2022",
    // Without the `paths` of tsconfig.json, which lead to sources: packages are built in another way than applications.
    tsconfigRaw: {},
    legalComments: "none",
    logLevel: "silent",
  });
  for (const { path, contents } of outputFiles) metafile.outputs[relative(root, path)].contents = contents;
  return metafile.outputs;
}

function sizeOf(files) {
  return files.reduce((sum, { contents }) => sum + brotliCompressSync(contents).byteLength, 0);
}
