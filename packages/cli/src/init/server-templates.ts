import type { Starter, StarterParts } from "./starter.ts";

const GUARD = "  callbacks: { authorized: ({ auth }) => auth !== null },";

/** An application on Hono, served by Node.js. */
export const hono = ({
  lines,
  environment,
  imports,
  signIn,
  home,
  users,
  packages,
  providerScript,
}: StarterParts): Starter => ({
  files: new Map([
    [
      "app.js",
      lines(
        'import { createAuth } from "@cardea/hono";',
        ...imports(),
        'import { serve } from "@hono/node-server";',
        'import { Hono } from "hono";',
        "",
        "const { handler, guard, auth } = createAuth({",
        ...signIn,
        GUARD,
        "});",
        "",
        "const app = new Hono();",
        'app.use("/auth/*", handler);',
        ...home,
        'app.get("/", async (c) => c.html(home(await auth(c))));',
        'app.get("/account", guard, (c) => c.text("Signed in as " + nameOf(c.get("auth"))));',
        'serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) => console.log("http://localhost:" + port + "/account"));',
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
export const fastify = ({
  lines,
  environment,
  imports,
  signIn,
  home,
  users,
  packages,
  providerScript,
}: StarterParts): Starter => ({
  files: new Map([
    [
      "app.js",
      lines(
        'import { createAuth } from "@cardea/fastify";',
        ...imports(),
        'import fastify from "fastify";',
        "",
        "const { plugin, guard, auth } = createAuth({",
        ...signIn,
        GUARD,
        "});",
        "",
        "const app = fastify();",
        "await app.register(plugin);",
        ...home,
        'app.get("/", async (request, reply) => reply.type("text/html").send(home(await auth(request, reply))));',
        'app.get("/account", { onRequest: guard }, async (request) => "Signed in as " + nameOf(request.auth));',
        "const port = Number(process.env.PORT ?? 3000);",
        "await app.listen({ port });",
        'console.log("http://localhost:" + port + "/account");',
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
  "    Signed in as {data.session.user?.name ?? data.session.user?.email}. <button>Sign out</button>",
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
}: StarterParts): Starter => ({
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
        '  <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" />%sveltekit.head%</head>',
        '  <body><div style="display: contents">%sveltekit.body%</div></body>',
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
        'const vite = spawn("vite", ["dev", "--port", String(port), "--strictPort"], { stdio: "inherit", shell: process.platform === "win32" });',
        'vite.once("exit", (code) => process.exit(code ?? 1));',
      ),
    ],
    [".env.local", environment],
  ]),
  dependencies: [...packages, "@cardea/sveltekit"],
  devDependencies: ["@cardea/testing", "@sveltejs/kit", "@sveltejs/vite-plugin-svelte", "svelte", "vite"],
  dev: "node --env-file=.env.local dev.mjs",
  built: [".svelte-kit"],
});

const NUXT_PAGE = [
  "<script setup>",
  'const { data } = await useFetch("/api/me");',
  "</script>",
  "",
  "<template>",
  '  <p v-if="data.session">Signed in as {{ data.session.user?.name ?? data.session.user?.email }}. <a href="/auth/signout">Sign out</a></p>',
  '  <a v-else href="/auth/signin">Sign in</a>',
  "</template>",
] as const;

/** An application on Nuxt. */
export const nuxt = ({
  lines,
  environment,
  imports,
  signIn,
  users,
  packages,
  providerScript,
}: StarterParts): Starter => ({
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
        "export default defineEventHandler(async (event) => ({ session: await auth(event) }));",
      ),
    ],
    [
      "dev.mjs",
      providerScript(
        "/auth",
        'import { spawn } from "node:child_process";',
        'const nuxt = spawn("nuxt", ["dev", "--port", String(port)], { stdio: "inherit", shell: process.platform === "win32" });',
        'nuxt.once("exit", (code) => process.exit(code ?? 1));',
      ),
    ],
    [".env.local", environment],
  ]),
  dependencies: [...packages, "@cardea/h3"],
  devDependencies: ["@cardea/testing", "nuxt"],
  dev: "node --env-file=.env.local dev.mjs",
  built: [".nuxt", ".output"],
});
