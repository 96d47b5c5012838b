import { spawning } from "./development-script.ts";
import type { Files, Language, Project } from "./language.ts";
import { nextFiles } from "./next-files.ts";

/** The frameworks supported by `init`. */
export const TEMPLATES = ["next", "express", "hono", "fastify", "sveltekit", "nuxt", "fetch"] as const;

/** A framework supported by `init`. */
export type Template = (typeof TEMPLATES)[number];

/** What the applications of a framework have beside users and environment. */
export interface Framework {
  /** Our package. */
  readonly adapter: string;
  /** Its function that takes the configuration, and which members of the result are used. */
  readonly create: "createAuth" | "SvelteKitAuth";
  readonly members: string;
  /** Whether a guard protects a route. */
  readonly isGuarded: boolean;
  readonly basePath: string;
  /** Whether a bundler reads its files. */
  readonly isBundled: boolean;
  /** Whether it reads `.env.local`. */
  readonly readsEnvironment?: boolean;
  /** Where a new application has configuration and users. */
  readonly source: Project["source"];
  /** Files beside configuration and users. Of an existing application, what is added to it. */
  readonly files: (project: Project) => Files;
  /** Lines of the development script that start a new application. */
  readonly start: readonly string[];
  readonly dependencies?: readonly string[];
  readonly devDependencies?: readonly string[];
  /** Folders that it writes. */
  readonly built?: readonly string[];
  /** What is left to do by hand in an existing application; undefined if `init` creates only new ones. */
  readonly byHand?: (language: Language) => readonly string[];
}

/** A user who signed in by e-mail has no name. */
const HOME = [
  "const nameOf = (session) => session.user?.name ?? session.user?.email;",
  "const home = (session) =>",
  "  session === null",
  "    ? '<a href=\"/auth/signin\">Sign in</a>'",
  '    : \'<a href="/account">Your account</a> <a href="/auth/signout">Sign out</a>\';',
] as const;

/** A server in one file, `app.mjs`, which Node.js runs. */
const SERVER = {
  create: "createAuth",
  isGuarded: true,
  basePath: "/auth",
  isBundled: false,
  source: "",
  start: ['await import("./app.mjs");'],
} as const satisfies Partial<Framework>;

/** An application that a bundler serves. Every page reads the session itself. */
const BUNDLED = { isGuarded: false, isBundled: true } as const satisfies Partial<Framework>;

const FETCH_START = [
  'import { createServer } from "node:http";',
  'import { Readable } from "node:stream";',
  'const { fetch } = await import("./app.mjs");',
  "",
  "// Bun, Deno and Workers use `fetch` directly; Node.js needs these lines.",
  "createServer(async (req, res) => {",
  '  const hasBody = req.method !== "GET" && req.method !== "HEAD";',
  "  const init = { method: req.method, headers: new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)])) };",
  '  const body = hasBody ? { body: Readable.toWeb(req), duplex: "half" } : {};',
  "  const response = await fetch(new Request(process.env.AUTH_URL + req.url, { ...init, ...body }));",
  '  for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value);',
  '  res.setHeader("set-cookie", response.headers.getSetCookie());',
  "  res.writeHead(response.status);",
  "  res.end(Buffer.from(await response.arrayBuffer()));",
  '}).listen(port, () => console.log(process.env.AUTH_URL + "/account"));',
] as const;

/** Every framework that `init` knows. */
export const FRAMEWORKS: Readonly<Record<Template, Framework>> = {
  next: {
    ...BUNDLED,
    adapter: "@cardea/next",
    create: "createAuth",
    members: "handlers, auth, signIn, signOut",
    basePath: "/api/auth",
    readsEnvironment: true,
    source: "",
    files: nextFiles,
    start: spawning("next", '["dev", "-p", String(port)]'),
    dependencies: ["next", "react", "react-dom"],
    built: [".next"],
    byHand: () => ["Link to /account from one of your pages: visitors can sign in there, users sign out."],
  },
  express: {
    ...SERVER,
    adapter: "@cardea/express",
    members: "router, auth",
    files: ({ isNew }): Files =>
      isNew
        ? {
            "app.mjs": [
              'import express from "express";',
              'import { auth, router } from "./auth.mjs";',
              "",
              "const app = express();",
              'app.use("/auth", router);',
              ...HOME,
              'app.get("/", async (req, res) => res.type("html").send(home(await auth(req, res))));',
              'app.get("/account", auth((req, res) => res.type("text").send("Signed in as " + nameOf(req.auth))));',
              "const port = process.env.PORT ?? 3000;",
              "app.listen(port, (error) => {",
              "  if (error) throw error;",
              '  console.log("http://localhost:" + port + "/account");',
              "});",
            ],
          }
        : {},
    dependencies: ["express"],
    byHand: ({ load, beside }) => [
      `Where the application is created: ${load("{ router, auth }", beside("auth"))}`,
      'Before your routes: app.use("/auth", router);',
      'A page for signed-in users: app.get("/account", auth((req, res) => res.send("Signed in as " + req.auth?.user?.email)));',
      "Listen on process.env.PORT ?? 3000, so that `PORT` chooses the port.",
    ],
  },
  hono: {
    ...SERVER,
    adapter: "@cardea/hono",
    members: "handler, guard, auth",
    files: () => ({
      "app.mjs": [
        'import { serve } from "@hono/node-server";',
        'import { Hono } from "hono";',
        'import { auth, guard, handler } from "./auth.mjs";',
        "",
        "const app = new Hono();",
        'app.use("/auth/*", handler);',
        ...HOME,
        'app.get("/", async (c) => c.html(home(await auth(c))));',
        'app.get("/account", guard, (c) => c.text("Signed in as " + nameOf(c.get("auth"))));',
        'serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) => console.log("http://localhost:" + port + "/account"));',
      ],
    }),
    dependencies: ["@hono/node-server", "hono"],
  },
  fastify: {
    ...SERVER,
    adapter: "@cardea/fastify",
    members: "plugin, guard, auth",
    files: () => ({
      "app.mjs": [
        'import fastify from "fastify";',
        'import { auth, guard, plugin } from "./auth.mjs";',
        "",
        "const app = fastify();",
        "await app.register(plugin);",
        ...HOME,
        'app.get("/", async (request, reply) => reply.type("text/html").send(home(await auth(request, reply))));',
        'app.get("/account", { onRequest: guard }, async (request) => "Signed in as " + nameOf(request.auth));',
        "const port = Number(process.env.PORT ?? 3000);",
        "await app.listen({ port });",
        'console.log("http://localhost:" + port + "/account");',
      ],
    }),
    dependencies: ["fastify"],
  },
  sveltekit: {
    ...BUNDLED,
    adapter: "@cardea/sveltekit",
    create: "SvelteKitAuth",
    members: "handle, signOut",
    basePath: "/auth",
    source: "src/",
    files: () => ({
      "vite.config.mjs": [
        'import { sveltekit } from "@sveltejs/kit/vite";',
        "",
        "export default { plugins: [sveltekit()] };",
      ],
      "src/app.html": [
        "<!doctype html>",
        '<html lang="en">',
        '  <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" />%sveltekit.head%</head>',
        '  <body><div style="display: contents">%sveltekit.body%</div></body>',
        "</html>",
      ],
      "src/hooks.server.js": ['export { handle } from "./auth.js";'],
      "src/routes/+layout.server.js": ["export const load = async ({ locals }) => ({ session: await locals.auth() });"],
      "src/routes/+page.svelte": [
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
      ],
      "src/routes/signout/+page.server.js": [
        'import { signOut } from "../../auth.js";',
        "",
        "export const actions = { default: signOut };",
      ],
    }),
    start: spawning("vite", '["dev", "--port", String(port), "--strictPort"]'),
    devDependencies: ["@sveltejs/kit", "@sveltejs/vite-plugin-svelte", "svelte", "vite"],
    built: [".svelte-kit"],
  },
  nuxt: {
    ...BUNDLED,
    adapter: "@cardea/h3",
    create: "createAuth",
    members: "handler, auth",
    basePath: "/auth",
    source: "server/",
    files: () => ({
      "nuxt.config.js": ['export default defineNuxtConfig({ compatibilityDate: "2026-01-01" });'],
      "app/app.vue": [
        "<script setup>",
        'const { data } = await useFetch("/api/me");',
        "</script>",
        "",
        "<template>",
        '  <p v-if="data.session">Signed in as {{ data.session.user?.name ?? data.session.user?.email }}. <a href="/auth/signout">Sign out</a></p>',
        '  <a v-else href="/auth/signin">Sign in</a>',
        "</template>",
      ],
      "server/routes/auth/[...].js": [
        'import { handler } from "../../auth.js";',
        "",
        "export default defineEventHandler(handler);",
      ],
      "server/api/me.js": [
        'import { auth } from "../auth.js";',
        "",
        "export default defineEventHandler(async (event) => ({ session: await auth(event) }));",
      ],
    }),
    start: spawning("nuxt", '["dev", "--port", String(port)]'),
    devDependencies: ["nuxt"],
    built: [".nuxt", ".output"],
  },
  fetch: {
    ...SERVER,
    adapter: "@cardea/core",
    members: "handlers, auth",
    files: () => ({
      "app.mjs": [
        'import { auth, handlers } from "./auth.mjs";',
        "",
        ...HOME,
        "const account = auth((request) => new Response('Signed in as ' + nameOf(request.auth)));",
        "",
        "export async function fetch(request) {",
        "  const { pathname } = new URL(request.url);",
        '  if (pathname.startsWith("/auth/")) return handlers.GET(request); // POST is the same function',
        '  if (pathname === "/account") return account(request);',
        '  return new Response(home(await auth(request)), { headers: { "content-type": "text/html" } });',
        "}",
      ],
    }),
    start: FETCH_START,
  },
};
