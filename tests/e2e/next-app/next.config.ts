import { join } from "node:path";
import type { NextConfig } from "next";

const repository = join(import.meta.dirname, "../../..");

/** `npm test` builds no routes of the edge runtime, which are a third of the work: `npm run test:all` does. */
const isShort = process.env.CARDEA_TEST_BUILD === "short";

const config: NextConfig = {
  distDir: "dist",
  outputFileTracingRoot: repository,
  pageExtensions: isShort ? ["tsx", "ts"] : ["tsx", "ts", "edge.tsx", "edge.ts"],
  turbopack: { root: repository },
  // The step "types of Next.js' routes" of `npm test` checks them faster.
  typescript: { ignoreBuildErrors: true },
  // Built once: what a second build could use is not worth writing. `npm run test:all` has minified builds too (build-next.mjs).
  experimental: { turbopackFileSystemCacheForBuild: false, turbopackMinify: false, turbopackSourceMaps: false },
};

export default config;
