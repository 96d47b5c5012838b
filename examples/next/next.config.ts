import { join } from "node:path";
import type { NextConfig } from "next";

/** The packages of this repository are linked from outside of this folder. */
const repository = join(import.meta.dirname, "../..");

const config: NextConfig = {
  distDir: "dist",
  outputFileTracingRoot: repository,
  turbopack: { root: repository },
  // The step "types of Next.js' routes" of `npm test` checks them faster. Leave this out in an application.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  devIndicators: false,
  // Built from nothing each time: what a second build could use is not worth writing.
  experimental: { turbopackFileSystemCacheForBuild: false },
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "Referrer-Policy", value: "same-origin" },
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "X-Frame-Options", value: "DENY" },
      ],
    },
  ],
};

export default config;
