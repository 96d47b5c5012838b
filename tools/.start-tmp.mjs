import { build } from "esbuild";
import { brotliCompressSync } from "node:zlib";
const entry = process.argv[2];
const { metafile, outputFiles } = await build({ stdin: { contents: `import { Auth } from ${JSON.stringify(process.cwd()+"/"+entry)}; export default (r) => Auth(r, {secret:"x",providers:[]});`, resolveDir: process.cwd() }, bundle: true, splitting: true, minify: process.argv[3] !== "raw", write: false, metafile: true, format: "esm", platform: "neutral", mainFields: ["module","main"], external: ["next/*","react","node:*"], target: "es2022", legalComments:"none", logLevel: "error", outdir:"b", tsconfigRaw: {} });
const files = metafile.outputs; const by = Object.fromEntries(outputFiles.map(f=>[f.path.split("/").pop(), f.contents]));
const loaded = new Set(Object.keys(files).filter(f=>files[f].entryPoint==="<stdin>"));
for (const f of loaded) for (const {path,kind} of files[f].imports) if (kind==="import-statement" && files[path]) loaded.add(path);
let sum=0, raw=0; const ins={};
for (const f of loaded) { const c=by[f.split("/").pop()]; sum+=brotliCompressSync(c).length; raw+=c.length; for (const [p,{bytesInOutput}] of Object.entries(files[f].inputs)) ins[p]=(ins[p]??0)+bytesInOutput; }
console.log(entry, loaded.size, raw, sum); for (const f of loaded) console.log(f, files[f].imports.filter(i=>i.kind==="import-statement").map(i=>i.path.split("/").pop()).join(" "));
if (process.argv[4] || process.argv[3]==="list") for (const [p,b] of Object.entries(ins).sort((a,b)=>b[1]-a[1])) if (b>0) console.log(String(b).padStart(6), p);
