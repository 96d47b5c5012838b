// Builds the example: generates the clients of its databases, then bundles the server and the script that runs in browsers.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { generateClients } from "./generate.mjs";

const outdir = join(import.meta.dirname, "dist");
// The packages are taken as they are built: without the paths of tsconfig.json, which lead to their sources.
const shared = { absWorkingDir: import.meta.dirname, bundle: true, format: "esm", logLevel: "error", tsconfigRaw: {} };

rmSync(outdir, { recursive: true, force: true });
generateClients();
await Promise.all([
  build({
    ...shared,
    // The clients are loaded by name: the one of the database that is used.
    entryPoints: {
      main: "src/main.ts",
      "prisma/sqlite": "generated/sqlite/client/client.ts",
      "prisma/postgres": "generated/postgres/client/client.ts",
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
