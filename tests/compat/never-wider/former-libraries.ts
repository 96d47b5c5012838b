// The real former libraries.
import { createRequire } from "node:module";
import { join } from "node:path";
import { buildSync } from "esbuild";
import * as hono from "hono";
import type { Modules } from "./load-application.ts";
import { asModule, NEXT } from "./next-modules.ts";

const require = createRequire(import.meta.url);

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
