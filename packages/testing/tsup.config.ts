import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", "oidc-provider": "src/oidc-provider.ts", "smtp-sink": "src/smtp-sink.ts" },
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: false,
  target: "es2022",
});
