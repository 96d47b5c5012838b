import type { Starter } from "./starter.ts";

/** Parts shared by all templates. */
export interface Parts {
  readonly lines: (...text: readonly string[]) => string;
  readonly environment: string;
  /** Import lines required by `signIn`. Takes the path of `users.js` if it is in another folder. */
  readonly imports: (users?: string) => readonly string[];
  /** Members of the configuration: providers and adapter. */
  readonly signIn: readonly string[];
  /** The content of `users.js`. */
  readonly users: string;
  /** Packages required by `imports`, and core. */
  readonly packages: readonly string[];
  /** A script that starts the local provider for this base path, then the application. */
  readonly providerScript: (path: string, ...start: readonly string[]) => string;
}

const GUARD = "  callbacks: { authorized: ({ auth }) => auth !== null },";

/** An application on Hono, served by Node.js. */
export const hono = ({ lines, environment, imports, signIn, users, packages, providerScript }: Parts): Starter => ({
  files: new Map([
    [
      "app.js",
      lines(
        'import { createAuth } from "@cardea/hono";',
        ...imports(),
        'import { serve } from "@hono/node-server";',
        'import { Hono } from "hono";',
        "",
        "const { handler, guard } = createAuth({",
        ...signIn,
        GUARD,
        "});",
        "",
        "const app = new Hono();",
        'app.use("/auth/*", handler);',
        'app.get("/", (c) => c.html(\'<a href="/account">Your account</a>\'));',
        'app.get("/account", guard, (c) => c.text("Signed in as " + c.get("auth").user?.name));',
        'serve({ fetch: app.fetch, port: 3000 }, () => console.log("http://localhost:3000/account"));',
      ),
    ],
    ["dev.js", providerScript("/auth", 'await import("./app.js");')],
    ["users.js", users],
    [".env.local", environment],
  ]),
  dependencies: [...packages, "@cardea/hono", "@hono/node-server", "hono"],
  devDependencies: ["@cardea/testing"],
  dev: "node --env-file=.env.local dev.js",
});

/** An application on Fastify. */
export const fastify = ({ lines, environment, imports, signIn, users, packages, providerScript }: Parts): Starter => ({
  files: new Map([
    [
      "app.js",
      lines(
        'import { createAuth } from "@cardea/fastify";',
        ...imports(),
        'import fastify from "fastify";',
        "",
        "const { plugin, guard } = createAuth({",
        ...signIn,
        GUARD,
        "});",
        "",
        "const app = fastify();",
        "await app.register(plugin);",
        'app.get("/", (_request, reply) => reply.type("text/html").send(\'<a href="/account">Your account</a>\'));',
        'app.get("/account", { onRequest: guard }, async (request) => "Signed in as " + request.auth.user?.name);',
        "await app.listen({ port: 3000 });",
        'console.log("http://localhost:3000/account");',
      ),
    ],
    ["dev.js", providerScript("/auth", 'await import("./app.js");')],
    ["users.js", users],
    [".env.local", environment],
  ]),
  dependencies: [...packages, "@cardea/fastify", "fastify"],
  devDependencies: ["@cardea/testing"],
  dev: "node --env-file=.env.local dev.js",
});

const SVELTE_PAGE = [
  "<script>",
  "  const { data } = $props();",
  "</script>",
  "",
  "{#if data.session}",
  '  <form method="POST" action="/signout">',
  "    Signed in as {data.session.user?.name}. <button>Sign out</button>",
  "  </form>",
  "{:else}",
  '  <a href="/auth/signin">Sign in</a>',
  "{/if}",
] as const;

/** An application on SvelteKit. */
export const sveltekit = ({
  lines,
  environment,
  imports,
  signIn,
  users,
  packages,
  providerScript,
}: Parts): Starter => ({
  files: new Map([
    [
      "vite.config.js",
      lines('import { sveltekit } from "@sveltejs/kit/vite";', "", "export default { plugins: [sveltekit()] };"),
    ],
    [
      "src/app.html",
      lines(
        "<!doctype html>",
        '<html lang="en">',
        '  <head><meta charset="utf-8" />%sveltekit.head%</head>',
        "  <body>%sveltekit.body%</body>",
        "</html>",
      ),
    ],
    [
      "src/auth.js",
      lines(
        'import { SvelteKitAuth } from "@cardea/sveltekit";',
        ...imports(),
        "",
        "export const { handle, signOut } = SvelteKitAuth({",
        ...signIn,
        "});",
      ),
    ],
    ["src/hooks.server.js", lines('export { handle } from "./auth.js";')],
    [
      "src/routes/+layout.server.js",
      lines("export const load = async ({ locals }) => ({ session: await locals.auth() });"),
    ],
    ["src/routes/+page.svelte", lines(...SVELTE_PAGE)],
    [
      "src/routes/signout/+page.server.js",
      lines('import { signOut } from "../../auth.js";', "", "export const actions = { default: signOut };"),
    ],
    ["src/users.js", users],
    [
      "dev.mjs",
      providerScript(
        "/auth",
        'import { spawn } from "node:child_process";',
        'const vite = spawn("vite", ["dev", "--port", "3000"], { stdio: "inherit", shell: process.platform === "win32" });',
        'vite.once("exit", (code) => process.exit(code ?? 1));',
      ),
    ],
    [".env.local", environment],
  ]),
  dependencies: [...packages, "@cardea/sveltekit"],
  devDependencies: ["@cardea/testing", "@sveltejs/kit", "@sveltejs/vite-plugin-svelte", "svelte", "vite"],
  dev: "node --env-file=.env.local dev.mjs",
});

const NUXT_PAGE = [
  "<script setup>",
  'const { data: session } = await useFetch("/api/me");',
  "</script>",
  "",
  "<template>",
  '  <p v-if="session">Signed in as {{ session.user?.name }}. <a href="/auth/signout">Sign out</a></p>',
  '  <a v-else href="/auth/signin">Sign in</a>',
  "</template>",
] as const;

/** An application on Nuxt. */
export const nuxt = ({ lines, environment, imports, signIn, users, packages, providerScript }: Parts): Starter => ({
  files: new Map([
    ["nuxt.config.js", lines('export default defineNuxtConfig({ compatibilityDate: "2026-01-01" });')],
    ["app/app.vue", lines(...NUXT_PAGE)],
    [
      "server/utils/auth.js",
      lines(
        'import { createAuth } from "@cardea/h3";',
        ...imports("../users.js"),
        "",
        "export const { handler, auth } = createAuth({",
        ...signIn,
        "});",
      ),
    ],
    ["server/users.js", users],
    [
      "server/routes/auth/[...].js",
      lines('import { handler } from "../../utils/auth.js";', "", "export default defineEventHandler(handler);"),
    ],
    [
      "server/api/me.js",
      lines(
        'import { auth } from "../utils/auth.js";',
        "",
        "export default defineEventHandler((event) => auth(event));",
      ),
    ],
    [
      "dev.mjs",
      providerScript(
        "/auth",
        'import { spawn } from "node:child_process";',
        'const nuxt = spawn("nuxt", ["dev", "--port", "3000"], { stdio: "inherit", shell: process.platform === "win32" });',
        'nuxt.once("exit", (code) => process.exit(code ?? 1));',
      ),
    ],
    [".env.local", environment],
  ]),
  dependencies: [...packages, "@cardea/h3"],
  devDependencies: ["@cardea/testing", "nuxt"],
  dev: "node --env-file=.env.local dev.mjs",
});
