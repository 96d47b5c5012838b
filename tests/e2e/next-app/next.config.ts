import { join } from "node:path";
import type { NextConfig } from "next";

const repository = join(import.meta.dirname, "../../..");

const config: NextConfig = {
  distDir: "dist",
  outputFileTracingRoot: repository,
  turbopack: { root: repository },
  // The step "types of Next.js' routes" of `npm test` checks them faster.
  typescript: { ignoreBuildErrors: true },
  // Built once: what a second build could use is not worth writing. `npm run test:all` has minified builds too (build-next.mjs).
  experimental: { turbopackFileSystemCacheForBuild: false, turbopackMinify: false, turbopackSourceMaps: false },
};

export default config;
