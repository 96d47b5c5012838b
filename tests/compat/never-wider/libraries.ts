import { createRequire } from "node:module";
import { join } from "node:path";
import * as bridge from "@cardea/bridge-authjs";
import * as bridgeMiddleware from "@cardea/bridge-authjs/middleware";
import * as core from "@cardea/core";
import * as coreJwt from "@cardea/core/jwt";
import * as cardeaExpress from "@cardea/express";
import * as cardeaHono from "@cardea/hono";
import * as cardeaNext from "@cardea/next";
import * as cardeaNextJwt from "@cardea/next/jwt";
import { Credentials } from "@cardea/providers-credentials";
import * as cardeaSvelteKit from "@cardea/sveltekit";
import { buildSync } from "esbuild";
import * as hono from "hono";
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

const asModule = (exports: object): object => ({ ...exports, __esModule: true });

/** Modules of Next.js that applications import. */
const NEXT: Modules = { "next/server": require("next/server"), "next/headers": nextHeaders };

/** ES modules that name modules of Next.js as bundlers resolve them. */
function bundled(source: string): object {
  const built = buildSync({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    external: ["next/*", "express", "hono", "hono/*"],
    conditions: ["svelte"],
    alias: {
      "$env/dynamic/private": join(import.meta.dirname, "svelte-env.ts"),
      "$app/environment": join(import.meta.dirname, "svelte-env.ts"),
      "$app/paths": join(import.meta.dirname, "svelte-env.ts"),
    },
    logLevel: "silent",
  });
  const module = { exports: {} };
  const load = createRequire(join(import.meta.dirname, "bundle.cjs"));
  new Function("module", "exports", "require", built.outputFiles[0]?.text ?? "")(module, module.exports, load);
  return module.exports;
}

/** The former libraries, each under the specifiers that applications write. */
export const FORMER: Readonly<Record<"v4" | "v5" | "express" | "hono" | "sveltekit", () => Modules>> = {
  v4: () => ({
    ...NEXT,
    "next-auth": require("next-auth-4"),
    "next-auth/next": require("next-auth-4/next"),
    "next-auth/middleware": require("next-auth-4/middleware"),
    "next-auth/jwt": require("next-auth-4/jwt"),
    "next-auth/providers/credentials": require("next-auth-4/providers/credentials"),
  }),
  v5: () => {
    const { NextAuth, jwt, Credentials } = Object(
      bundled(
        'export { default as NextAuth } from "next-auth-5"; export * as jwt from "next-auth-5/jwt"; export { default as Credentials } from "next-auth-5/providers/credentials";',
      ),
    );
    return {
      ...NEXT,
      "next-auth": asModule({ default: NextAuth }),
      "next-auth/jwt": jwt,
      "next-auth/providers/credentials": asModule({ default: Credentials }),
    };
  },
  express: () => ({ "@auth/express": bundled('export * from "@auth/express";') }),
  hono: () => ({ "@hono/auth-js": bundled('export * from "@hono/auth-js";'), hono: asModule(hono) }),
  sveltekit: () => ({ "@auth/sveltekit": bundled('export { SvelteKitAuth } from "@auth/sveltekit";') }),
};

/** Ours, from the sources. */
export const OURS: Modules = {
  ...NEXT,
  "@cardea/core": asModule(core),
  "@cardea/core/jwt": asModule(coreJwt),
  "@cardea/express": asModule(cardeaExpress),
  "@cardea/hono": asModule(cardeaHono),
  "@cardea/sveltekit": asModule(cardeaSvelteKit),
  hono: asModule(hono),
  "@cardea/next": asModule(cardeaNext),
  "@cardea/next/jwt": asModule(cardeaNextJwt),
  "@cardea/providers-credentials": asModule({ default: Credentials, Credentials }),
  "@cardea/bridge-authjs": asModule(bridge),
  "@cardea/bridge-authjs/middleware": asModule(bridgeMiddleware),
};
