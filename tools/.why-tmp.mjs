import { build } from "esbuild";
import { brotliCompressSync } from "node:zlib";
const entry = process.argv[2];
const { metafile, outputFiles } = await build({ entryPoints: [entry], bundle: true, minify: true, write: false, metafile: true, format: "esm", platform: "neutral", mainFields: ["module","main"], external: ["next/*","react","node:*"], target: "es2022", legalComments:"none", logLevel: "error", outdir:"b" });
for (const f of outputFiles) console.log(f.path.split("/").pop(), f.contents.length, brotliCompressSync(f.contents).length);
if (process.argv[3]) { const [out] = Object.values(metafile.outputs);
for (const [p, {bytesInOutput}] of Object.entries(out.inputs).sort((a,b)=>b[1].bytesInOutput-a[1].bytesInOutput)) if (bytesInOutput>0) console.log(String(bytesInOutput).padStart(7), p);}
