import { type Addition, addToExpress, addToNext, type Project } from "./additions.ts";
import { next } from "./next-template.ts";
import { fastify, hono, nuxt, sveltekit } from "./server-templates.ts";
import type { Parts } from "./sign-in-parts.ts";
import type { Starter, StarterParts } from "./starter.ts";

/** The frameworks supported by `init`. */
export const TEMPLATES = ["next", "express", "hono", "fastify", "sveltekit", "nuxt", "fetch"] as const;

/** A framework supported by `init`. */
export type Template = (typeof TEMPLATES)[number];

/** An application on Express. */
const express = ({
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
        'import { createAuth } from "@cardea/express";',
        ...imports(),
        'import express from "express";',
        "",
        "const { router, auth } = createAuth({",
        ...signIn,
        "  callbacks: { authorized: ({ auth }) => auth !== null },",
        "});",
        "",
        "const app = express();",
        'app.use("/auth", router);',
        ...home,
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
    ["users.js", users],
    [".env.local", environment],
  ]),
  dependencies: [...packages, "@cardea/express", "express"],
  devDependencies: ["@cardea/testing"],
  dev: "node --env-file=.env.local dev.js",
});

/** An application of standard requests and responses. */
const fetchServer = ({
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
        'import { createAuth } from "@cardea/core";',
        ...imports(),
        "",
        "const { handlers, auth } = createAuth({",
        ...signIn,
        "  callbacks: { authorized: ({ auth }) => auth !== null },",
        "});",
        "",
        ...home,
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
    ["users.js", users],
    [".env.local", environment],
  ]),
  dependencies: packages,
  devDependencies: ["@cardea/testing"],
  dev: "node --env-file=.env.local dev.js",
});

/** What is added to an existing application of a framework; undefined for frameworks whose applications are created new. */
export function additionFor(template: Template, project: Project, parts: Parts): Addition | undefined {
  if (template !== "next" && template !== "express") return undefined;
  const signIn = parts.signIn.map((line) => line.replace("process.env.SMTP_URL", "String(process.env.SMTP_URL)"));
  return (template === "next" ? addToNext : addToExpress)({ ...parts, signIn }, project);
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
 * Returns the files of a new application.
 *
 * @param isModule whether its `.js` files are modules.
 */
export function starterFor(template: Template, parts: Parts, isModule: boolean): Starter {
  const imports = (users = "./users.js") =>
    [...parts.modules, ["adapter", users]].map(([names, from]) => `import { ${names} } from "${from}";`);
  const starter = createStarter(template, { ...parts, imports });
  const whole = { ...starter, files: new Map([...starter.files, ["AUTH.md", parts.readme]]) };
  return isModule ? whole : withoutType(whole);
}

function createStarter(template: Template, parts: StarterParts): Starter {
  switch (template) {
    case "next":
      return next(parts);
    case "express":
      return express(parts);
    case "fetch":
      return fetchServer(parts);
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
