import { join } from "node:path";
import type { NextConfig } from "next";

const repository = join(import.meta.dirname, "../../..");

const config: NextConfig = {
  distDir: "dist",
  outputFileTracingRoot: repository,
  turbopack: { root: repository },
  // Built once: what a second build could use is not worth writing.
  experimental: { turbopackFileSystemCacheForBuild: false },
};

export default config;
