// Core with one provider, bundled, minified and gzipped as an application would serve it, stays small.
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { runAsScript } from "./report-problems.mjs";

const limit = 30_000; // bytes; what is measured stays below

/** The smallest useful application: core, and one provider written as an object. */
const application = (entry) => `
import { Auth } from ${JSON.stringify(entry)};
const provider = {
  id: "example", name: "Example", type: "oidc", issuer: "https://id.example.com", clientId: "id", clientSecret: "secret",
};
export default (request) => Auth(request, { secret: "0123456789abcdef0123456789abcdef", providers: [provider] });
`;

/** Bundles the built core below `root`: a note with the figure and what it consists of, a problem if it is too much. */
export async function checkSize(root, { max = limit } = {}) {
  const contents = application(join(root, "packages/core/dist/index.js"));
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
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
  const bytes = gzipSync(outputFiles[0].contents, { level: 9 }).byteLength;
  const said = `core with one provider: ${bytes} bytes minified and gzipped, less than ${max} wanted`;
  const shares = `before compression: ${describeShares(Object.values(metafile.outputs)[0].inputs)}`;
  return bytes < max ? { problems: [], notes: [said, shares] } : { problems: [said, shares], notes: [] };
}

/** How many minified bytes each package brings, largest first. */
function describeShares(inputs) {
  const shares = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? "core";
    shares.set(name, (shares.get(name) ?? 0) + bytesInOutput);
  }
  const sorted = [...shares].filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a);
  return sorted.map(([name, bytes]) => `${name} ${bytes}`).join(", ");
}

await runAsScript(import.meta, checkSize);
