import { defineConfig } from "tsup";

export default defineConfig([
  {
    // The clients are loaded by name, the one of the database that is used.
    entry: {
      main: "src/main.ts",
      "prisma/sqlite": "generated/sqlite/client/client.ts",
      "prisma/postgres": "generated/postgres/client/client.ts",
    },
    format: ["esm"],
    clean: true,
    target: "node20",
  },
  {
    // What runs in browsers, with all that it imports.
    entry: ["src/browser/passkeys.ts"],
    outDir: "dist/browser",
    platform: "browser",
    noExternal: [/./],
    format: ["esm"],
    minify: true,
    target: "es2022",
  },
]);
