import { defineConfig } from "tsup";

export default defineConfig({
  // The clients are loaded by name, the one of the database that is used.
  entry: {
    main: "src/main.ts",
    "prisma/sqlite": "generated/sqlite/client/client.ts",
    "prisma/postgres": "generated/postgres/client/client.ts",
  },
  format: ["esm"],
  clean: true,
  target: "node20",
});
