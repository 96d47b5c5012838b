// Next.js, as the applications and both libraries find it.
import { createRequire } from "node:module";
import type { Modules } from "./load-application.ts";

const require = createRequire(import.meta.url);

/** What Next.js knows of the request that is served. */
export const scope = { headers: new Headers() };

const { RequestCookies } = require("next/dist/compiled/@edge-runtime/cookies");

/** `next/headers`, for the library of before, for ours and for the application. */
export const nextHeaders = {
  headers: async () => scope.headers,
  cookies: async () => new RequestCookies(scope.headers),
};

const headersPath = require.resolve("next/headers");
require.cache[headersPath] = Object.assign(Object.create(null), {
  id: headersPath,
  loaded: true,
  exports: nextHeaders,
});

/** A module, as its importers in CommonJS see it. */
export const asModule = (exports: object): object => ({ ...exports, __esModule: true });

/** Modules of Next.js that applications import. */
export const NEXT: Modules = { "next/server": require("next/server"), "next/headers": nextHeaders };
