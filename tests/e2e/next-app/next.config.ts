import { join } from "node:path";
import type { NextConfig } from "next";

const repository = join(import.meta.dirname, "../../..");

const config: NextConfig = {
  distDir: "dist",
  outputFileTracingRoot: repository,
  turbopack: { root: repository },
};

export default config;
