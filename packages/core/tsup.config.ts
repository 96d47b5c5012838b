import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    errors: "src/model/errors.ts",
    jwt: "src/jwt.ts",
    adapters: "src/model/adapter.ts",
    types: "src/types.ts",
    providers: "src/model/provider.ts",
    operations: "src/operations.ts",
  },
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: false,
  target: "es2022",
});
