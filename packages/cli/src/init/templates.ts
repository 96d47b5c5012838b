import { type Addition, addToExpress, addToNext, type Project } from "./additions.ts";
import { next } from "./next-template.ts";
import { fastify, hono, nuxt, type Parts, sveltekit } from "./server-templates.ts";
import type { Starter } from "./starter.ts";

/** The frameworks supported by `init`. */
export const TEMPLATES = ["next", "express", "hono", "fastify", "sveltekit", "nuxt", "fetch"] as const;

/** A framework supported by `init`. */
export type Template = (typeof TEMPLATES)[number];

const lines = (...text: readonly string[]): string => `${text.join("\n")}\n`;

/**
 * The environment: a local provider replaces GitHub, Google and others, and a local mail server replaces a real one.
 */
function environment(secret: string): string {
  return lines(
    "# For development. In production set AUTH_SECRET and AUTH_URL in the environment.",
    `AUTH_SECRET=${secret}`,
    "AUTH_URL=http://localhost:3000",
    "AUTH_LOCAL_ISSUER=http://127.0.0.1:4000",
    "AUTH_LOCAL_ID=demo",
    "AUTH_LOCAL_SECRET=demo-secret",
    "SMTP_URL=smtp://127.0.0.1:4025",
  );
}

/** Lines of imports, in a file next to `users.js`. */
const imports = (users = "./users.js"): readonly string[] => [
  'import { Nodemailer } from "@cardea/providers-email";',
  `import { adapter } from "${users}";`,
];

/** Members of a configuration. */
const SIGN_IN = [
  '  providers: [{ id: "local", name: "Local provider", type: "oidc" }, Nodemailer({ server: process.env.SMTP_URL, from: "no-reply@example.com" })],',
  "  adapter,",
  '  session: { strategy: "jwt" },',
] as const;

/** A user who signed in by e-mail has no name. */
const HOME = [
  "const nameOf = (session) => session.user?.name ?? session.user?.email;",
  "const home = (session) =>",
  "  session === null",
  "    ? '<a href=\"/auth/signin\">Sign in</a>'",
  '    : \'<a href="/account">Your account</a> <a href="/auth/signout">Sign out</a>\';',
] as const;

/** How to leave the memory. */
const WAY_OUT = [
  "// Users in memory, lost when this process ends: for development only. For production, export the adapter of your database here,",
  "// such as `export const adapter = PrismaAdapter(client)`: https://github.com/cardea-auth/cardea/blob/main/docs/database.md",
] as const;

/** What is left to do before production. */
const README = lines(
  "# Sign-in: what is left for production",
  "",
  "Until then a local provider accepts any user name, and a local mail server prints its e-mails.",
  "",
  "1. **Users**: `users` keeps them in memory. Export the adapter of your database there:",
  "   https://github.com/cardea-auth/cardea/blob/main/docs/database.md. Then remove `@cardea/testing` from it.",
  "2. **Providers**: replace the local provider in the configuration, e.g. by GitHub: install `@cardea/providers-github`, register",
  "   the callback URL, and set `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`:",
  "   https://github.com/cardea-auth/cardea/blob/main/docs/providers.md",
  "3. **E-mail**: set `SMTP_URL` to your mail server, and `from` to an address of yours.",
  "4. **Environment**: set `AUTH_SECRET` (`npx @cardea/cli secret`), `AUTH_URL` to the public URL, and `NODE_ENV=production`.",
  "5. **Check**: `npx @cardea/cli doctor --production`, and with `--url` when it runs.",
);

/** E-mail sign-in requires a database of users. */
const USERS = lines(
  'import { createMemoryAdapter } from "@cardea/testing/memory-adapter";',
  "",
  ...WAY_OUT,
  "export const { adapter } = (globalThis.memory ??= createMemoryAdapter());",
);

const PACKAGES = ["@cardea/core", "@cardea/providers-email"] as const;

const providerScript = (path: string, ...start: readonly string[]): string =>
  lines(
    'import { once } from "node:events";',
    'import { createServer as createProbe } from "node:net";',
    'import { startOidcProvider } from "@cardea/testing/oidc-provider";',
    'import { startSmtpSink } from "@cardea/testing/smtp-sink";',
    ...start.filter((line) => line.startsWith("import ")),
    "",
    "const port = Number(process.env.PORT ?? 3000);",
    "process.env.PORT = String(port);",
    'process.env.AUTH_URL = "http://localhost:" + port;',
    "for (const one of [port, 4000, 4025]) {",
    "  const probe = createProbe();",
    '  await once(probe.listen(one), "listening").catch((error) => {',
    '    const remedy = one === port ? "choose another one with PORT" : "replace the number in this file and .env.local";',
    '    console.error("Port " + one + " is unavailable (" + error.code + "). End the process that uses it, or " + remedy + ".");',
    "    process.exit(1);",
    "  });",
    "  probe.close();",
    "}",
    "",
    "// For development only: a local OpenID Provider that accepts any user name,",
    "// and a mail server that delivers nothing. Links in its e-mails are printed here.",
    `await startOidcProvider({ port: 4000, redirectUris: [process.env.AUTH_URL + "${path}/callback/local"] });`,
    "const inbox = await startSmtpSink({ port: 4025 });",
    "const printMails = async () => {",
    "  for (;;) {",
    "    const { to, links } = await inbox.nextMail();",
    '    console.log("E-mail to " + to.join() + ": " + links[0]);',
    "  }",
    "};",
    "printMails();",
    "",
    ...start.filter((line) => !line.startsWith("import ")),
  );

const express = (secret: string): Starter => ({
  files: new Map([
    [
      "app.js",
      lines(
        'import { createAuth } from "@cardea/express";',
        ...imports(),
        'import express from "express";',
        "",
        "const { router, auth } = createAuth({",
        ...SIGN_IN,
        "  callbacks: { authorized: ({ auth }) => auth !== null },",
        "});",
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
      ),
    ],
    ["dev.js", providerScript("/auth", 'await import("./app.js");')],
    ["users.js", USERS],
    [".env.local", environment(secret)],
  ]),
  dependencies: [...PACKAGES, "@cardea/express", "express"],
  devDependencies: ["@cardea/testing"],
  dev: "node --env-file=.env.local dev.js",
});

const fetchServer = (secret: string): Starter => ({
  files: new Map([
    [
      "app.js",
      lines(
        'import { createAuth } from "@cardea/core";',
        ...imports(),
        "",
        "const { handlers, auth } = createAuth({",
        ...SIGN_IN,
        "  callbacks: { authorized: ({ auth }) => auth !== null },",
        "});",
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
      ),
    ],
    [
      "dev.js",
      providerScript(
        "/auth",
        'import { createServer } from "node:http";',
        'import { Readable } from "node:stream";',
        'const { fetch } = await import("./app.js");',
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
      ),
    ],
    ["users.js", USERS],
    [".env.local", environment(secret)],
  ]),
  dependencies: PACKAGES,
  devDependencies: ["@cardea/testing"],
  dev: "node --env-file=.env.local dev.js",
});

/** What is added to an existing application of a framework; undefined for frameworks whose applications are created new. */
export function additionFor(template: Template, project: Project, secret: string): Addition | undefined {
  const add = { next: addToNext, express: addToExpress }[template as string];
  const signIn = SIGN_IN.map((line) => line.replace("process.env.SMTP_URL", "String(process.env.SMTP_URL)"));
  const texts = { lines, environment: environment(secret), signIn, wayOut: WAY_OUT, readme: README, providerScript };
  return add?.({ ...texts, packages: PACKAGES }, project);
}

/** Files that Node.js itself runs. In a package whose `.js` files are not modules they have another ending. */
const RUN_BY_NODE = /^(?:app|dev|users|vite\.config)\.js$/;

/** The same application in a package whose `type` is not `module`, and stays what it is. */
function withoutType(starter: Starter): Starter {
  const renamed = (text: string) => text.replace(/(?<=")(\.\/)(app|users)\.js(?=")/g, "$1$2.mjs");
  const files = [...starter.files].map(([path, text]): [string, string] => [
    RUN_BY_NODE.test(path) ? path.replace(/\.js$/, ".mjs") : path,
    path.includes("/") ? text : renamed(text),
  ]);
  return { ...starter, files: new Map(files), dev: starter.dev.replace(/\bdev\.js$/, "dev.mjs") };
}

/**
 * Returns the files of a new application, with this secret.
 *
 * @param isModule whether its `.js` files are modules.
 */
export function starterFor(template: Template, secret: string, isModule = true): Starter {
  const starter = createStarter(template, secret);
  const whole = { ...starter, files: new Map([...starter.files, ["AUTH.md", README]]) };
  return isModule ? whole : withoutType(whole);
}

function createStarter(template: Template, secret: string): Starter {
  const parts: Parts = {
    lines,
    environment: environment(secret),
    imports,
    signIn: SIGN_IN,
    home: HOME,
    users: USERS,
    packages: PACKAGES,
    providerScript,
  };
  switch (template) {
    case "next":
      return next(parts);
    case "express":
      return express(secret);
    case "fetch":
      return fetchServer(secret);
    case "hono":
      return hono(parts);
    case "fastify":
      return fastify(parts);
    case "sveltekit":
      return sveltekit(parts);
    case "nuxt":
      return nuxt(parts);
  }
}
