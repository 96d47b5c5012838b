/** Applications whose every page shows its name, with a guard in front of all of them, and a page for all other paths. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuth as createExpressAuth } from "@cardea/express";
import { createAuth as createFastifyAuth } from "@cardea/fastify";
import { createAuth as createH3Auth } from "@cardea/h3";
import { createAuth as createHonoAuth } from "@cardea/hono";
import { getRequestListener } from "@hono/node-server";
import fastify from "fastify";
import { H3, toNodeHandler } from "h3";
import { createApp, createRouter, eventHandler, toNodeListener } from "h3-v1";
import { Hono } from "hono";
import { frameworks } from "../../../packages/express/src/run-app.ts";

/** Pages that visitors may open, as the routers know them; the last is the application's sign-in page. */
export const OPEN = ["/", "/about", "/@me", "/docs/a+b", "/open.txt", "/login"] as const;

/** Compares the path with the list, as the application's `authorized`. */
const config = {
  secret: "a secret of more than thirty-two bytes for tests",
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  trustHost: true,
  providers: [],
  pages: { signIn: "/login" },
  callbacks: {
    authorized: ({ request }: { request: Request }) => OPEN.some((path) => path === new URL(request.url).pathname),
  },
};

/** A guard in the place of ours, for controls: the path is compared, and the request continues as it is. */
export type Former = (path: string) => boolean;

/** Starts an application; with a former guard, that one is used. */
type Start = (former?: Former) => RequestListener | Promise<RequestListener>;

function startExpress({ express, wildcard }: (typeof frameworks)[number]): Start {
  return (former) => {
    const { auth, router } = createExpressAuth(config);
    const app = express();
    app.use(former === undefined ? auth : (req, res, next) => (former(req.path) ? next() : res.sendStatus(401)));
    app.use("/auth", router);
    app.use(express.static(files()));
    for (const path of OPEN) app.all(path.replace("+", "\\+"), (_req, res) => void res.send(`OPEN:${path}`));
    app.get("/members/:id", (_req, res) => void res.send("GUARDED:member"));
    app.all(`/${wildcard}`, (_req, res) => void res.send("GUARDED:everything"));
    return app;
  };
}

export const applications: Readonly<Record<string, Start>> = {
  ...Object.fromEntries(frameworks.map((one) => [`Express ${one.version}`, startExpress(one)])),
  "Hono 4": (former) => {
    const { guard, handler } = createHonoAuth(config);
    // As docs/hono.md says.
    const app = new Hono({ strict: false });
    if (former === undefined) app.use(guard);
    else app.use((c, next) => (former(c.req.path) ? next() : Promise.resolve(c.body(null, 401))));
    app.use("/auth/*", handler);
    for (const path of OPEN) app.all(path, (c) => c.text(`OPEN:${path}`));
    app.route(
      "/members",
      new Hono().all("/:id", (c) => c.text("GUARDED:member")),
    );
    app.mount("/legacy", () => new Response("GUARDED:mounted"));
    app.all("/*", (c) => c.text("GUARDED:everything"));
    return getRequestListener(app.fetch);
  },
  "Fastify 5": async (former) => {
    const { guard, plugin } = createFastifyAuth(config);
    // As docs/fastify.md says.
    const app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
    if (former === undefined) app.addHook("onRequest", guard);
    else
      app.addHook("onRequest", async (request, reply) =>
        former(request.url.split("?", 1)[0] ?? "") ? undefined : reply.code(401).send(),
      );
    await app.register(plugin);
    for (const path of OPEN) app.all(path, async () => `OPEN:${path}`);
    app.all("/members/:id", async () => "GUARDED:member");
    app.all("/*", async () => "GUARDED:everything");
    await app.ready();
    return (request, response) => app.routing(request, response);
  },
  "h3 2": (former) => {
    const { guard, handler } = createH3Auth(config);
    const app = new H3();
    app.use(
      former === undefined
        ? guard
        : (event) => (former(event.url.pathname) ? undefined : new Response(null, { status: 401 })),
    );
    app.all("/auth/**", handler);
    for (const path of OPEN) app.all(path, () => `OPEN:${path}`);
    app.all("/members/:id", () => "GUARDED:member");
    app.all("/**", () => "GUARDED:everything");
    return toNodeHandler(app);
  },
  "h3 1": (former) => {
    const { guard, handler } = createH3Auth(config);
    const router = createRouter().use("/auth/**", eventHandler(handler));
    for (const path of OPEN)
      router.use(
        path,
        eventHandler(() => `OPEN:${path}`),
      );
    router.use(
      "/members/:id",
      eventHandler(() => "GUARDED:member"),
    );
    router.use(
      "/**",
      eventHandler(() => "GUARDED:everything"),
    );
    const ours = eventHandler(guard);
    const theirs = eventHandler((event) =>
      former === undefined || former(event.path.split("?", 1)[0] ?? "")
        ? undefined
        : new Response(null, { status: 401 }),
    );
    return toNodeListener(
      createApp()
        .use(former === undefined ? ours : theirs)
        .use(router),
    );
  },
};

let folder: string | undefined;

/** Files below a guarded path, and one that visitors may open. */
function files(): string {
  if (folder !== undefined) return folder;
  folder = mkdtempSync(join(tmpdir(), "cardea-open-"));
  mkdirSync(join(folder, "members"));
  writeFileSync(join(folder, "members/secret.txt"), "GUARDED:file");
  writeFileSync(join(folder, "open.txt"), "OPEN:/open.txt");
  return folder;
}

/** Removes the files. */
export function removeFiles(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
}

/** Serves on a free port. */
export async function serve(listener: RequestListener): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { origin: `http://127.0.0.1:${Object(server.address()).port}`, server };
}
