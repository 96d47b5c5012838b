// Builds the example: generates the clients of its databases, then bundles the server and the script that runs in browsers.
//
//   node build.mjs             with the packages as they are built
//   node build.mjs --sources   with their sources, which need no build: for the demo
import { rmSync } from "node:fs";
import { join } from "node:path";
import { argv, env } from "node:process";
import { build } from "esbuild";
import { generateClients } from "./generate.mjs";

const outdir = join(import.meta.dirname, "dist");
const isDemo = argv.includes("--sources");
// The paths of tsconfig.json lead to the sources of the packages.
const packages = isDemo
  ? // What the build of a package contains is a development dependency there, which the demo does not install.
    { tsconfig: "../../tsconfig.json", nodePaths: [join(import.meta.dirname, "node_modules")] }
  : { tsconfigRaw: {} };
const shared = { absWorkingDir: import.meta.dirname, bundle: true, format: "esm", logLevel: "error", ...packages };

if (isDemo) console.error("Building the example …");
rmSync(outdir, { recursive: true, force: true });
// Each takes seconds.
const databases = isDemo ? [env.DATABASE_URL?.startsWith("postgres") ? "postgres" : "sqlite"] : ["sqlite", "postgres"];
generateClients(databases);
await Promise.all([
  build({
    ...shared,
    // The clients are loaded by name: the one of the database that is used.
    entryPoints: {
      main: "src/main.ts",
      ...Object.fromEntries(databases.map((name) => [`prisma/${name}`, `generated/${name}/client/client.ts`])),
    },
    outdir,
    // In one file, the server starts in half of the time. In several, a package in CommonJS could not be imported when it is first used.
    splitting: false,
    // These are more than JavaScript.
    external: ["@prisma/*", "libsql", "@libsql/*", "pg"],
    // What packages written for CommonJS call.
    banner: {
      js: 'import { createRequire as forBundle } from "node:module"; const require = forBundle(import.meta.url);',
    },
    platform: "node",
    target: "node20",
  }),
  // The script for browsers, with everything it imports.
  build({
    ...shared,
    entryPoints: ["src/browser/members.ts"],
    outdir: join(outdir, "browser"),
    minify: true,
    target: "es2022",
  }),
]);
