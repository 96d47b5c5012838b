import type { Starter } from "./starter.ts";

/** The parts that starters share. */
export interface Parts {
  readonly lines: (...text: readonly string[]) => string;
  readonly environment: string;
  readonly provider: string;
  /** A script that starts the provider of this machine, for this base path, and then the rest. */
  readonly providerScript: (path: string, ...start: readonly string[]) => string;
}

const GUARD = "  callbacks: { authorized: ({ auth }) => auth !== null },";

/** An application on Hono, served by Node.js. */
export const hono = ({ lines, environment, provider, providerScript }: Parts): Starter => ({
  files: new Map([
    [
      "app.js",
      lines(
        'import { createAuth } from "@cardea/hono";',
        'import { serve } from "@hono/node-server";',
        'import { Hono } from "hono";',
        "",
        "const { handler, guard } = createAuth({",
        `  providers: [${provider}],`,
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
    [".env.local", environment],
  ]),
  dependencies: ["@cardea/core", "@cardea/hono", "@hono/node-server", "hono"],
  devDependencies: ["@cardea/testing"],
  dev: "node --env-file=.env.local dev.js",
});

/** An application on Fastify. */
export const fastify = ({ lines, environment, provider, providerScript }: Parts): Starter => ({
  files: new Map([
    [
      "app.js",
      lines(
        'import { createAuth } from "@cardea/fastify";',
        'import fastify from "fastify";',
        "",
        "const { plugin, guard } = createAuth({",
        `  providers: [${provider}],`,
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
    [".env.local", environment],
  ]),
  dependencies: ["@cardea/core", "@cardea/fastify", "fastify"],
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
  '  <form method="POST" action="/signin">',
  '    <input type="hidden" name="providerId" value="local" />',
  "    <button>Sign in</button>",
  "  </form>",
  "{/if}",
] as const;

/** An application on SvelteKit. */
export const sveltekit = ({ lines, environment, provider, providerScript }: Parts): Starter => ({
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
        "",
        "export const { handle, signIn, signOut } = SvelteKitAuth({",
        `  providers: [${provider}],`,
        "});",
      ),
    ],
    ["src/hooks.server.js", lines('export { handle } from "./auth.js";')],
    [
      "src/routes/+layout.server.js",
      lines("export const load = async ({ locals }) => ({ session: await locals.auth() });"),
    ],
    ["src/routes/+page.svelte", lines(...SVELTE_PAGE)],
    ...(["signIn", "signOut"] as const).map((action): [string, string] => [
      `src/routes/${action.toLowerCase()}/+page.server.js`,
      lines(`import { ${action} } from "../../auth.js";`, "", `export const actions = { default: ${action} };`),
    ]),
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
  dependencies: ["@cardea/core", "@cardea/sveltekit"],
  devDependencies: ["@cardea/testing", "@sveltejs/kit", "@sveltejs/vite-plugin-svelte", "svelte", "vite"],
  dev: "node --env-file=.env.local dev.mjs",
});
