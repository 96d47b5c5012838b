/** Every guard that the documentation shows, run as the page has it: what a visitor gets through, and what the page says that it does not cover. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { get, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createAuth as createExpressAuth } from "@cardea/express";
import { createAuth } from "@cardea/h3";
import { createTestSession } from "@cardea/testing";
import { getRequestListener } from "@hono/node-server";
import type { FastifyInstance } from "fastify";
import { defineWebSocketHandler as defineWebSocketHandlerV2, H3, toNodeHandler } from "h3";
import { createApp, defineWebSocketHandler, type EventHandler, eventHandler, toNodeListener } from "h3-v1";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sendRaw } from "../../../packages/testing/src/binding-contract/send-raw.ts";
import { serve } from "../open-paths/applications.ts";
import { readBlock, removeModules, runModule } from "./read-blocks.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";
const config = { secret: SECRET, providers: [], trustHost: true };

/** A guard as one page shows it. */
interface Documented {
  readonly page: string;
  /** A text that only its block has. */
  readonly block: string;
  /** Added to the block: pages behind the guard whose text is `SECRET`, and what ends the module. */
  readonly around?: string;
  readonly listen: (module: Readonly<Record<string, unknown>>) => RequestListener | Promise<RequestListener>;
  /** A page that needs a session, and what a signed-in user sees there. */
  readonly guarded: readonly [string, RegExp];
  /** A page that visitors may open; absent if there is none. */
  readonly open?: string;
}

// A cast: `around` exports the application of the page's framework.
const express = (module: Readonly<Record<string, unknown>>) => module.app as RequestListener;
const hono = ({ app }: Readonly<Record<string, unknown>>) =>
  getRequestListener((app as { fetch: (request: Request) => Promise<Response> }).fetch);
const h3 = ({ app }: Readonly<Record<string, unknown>>) => toNodeHandler(app as H3);
const fetching = (module: Readonly<Record<string, unknown>>) =>
  getRequestListener(Object(module.default ?? module).fetch as (request: Request) => Promise<Response>);
const fastify = async ({ app }: Readonly<Record<string, unknown>>): Promise<RequestListener> => {
  const instance = app as FastifyInstance;
  await instance.ready();
  return (request, response) => instance.routing(request, response);
};

const documented: readonly Documented[] = [
  {
    page: "docs/express.md",
    block: 'app.use("/account", auth);',
    around: 'app.use("/account", (_req, res) => void res.send("SECRET")); export { app };',
    listen: express,
    guarded: ["/account/7", /^SECRET$/],
  },
  {
    page: "docs/express.md",
    block: 'app.get("/orders", auth(',
    around: "export { app };",
    listen: express,
    guarded: ["/orders", /Ann/],
  },
  {
    page: "docs/callbacks.md",
    block: 'app.use("/admin", auth(',
    around: "export { app };",
    listen: express,
    guarded: ["/admin/users", /^Forbidden$|^SECRET$/],
  },
  {
    page: "docs/getting-started.md",
    block: "// app.js",
    around: "export { app };",
    listen: express,
    guarded: ["/account", /Ann/],
    open: "/",
  },
  {
    page: "docs/fastify.md",
    block: 'members.addHook("onRequest", guard)',
    around: "export { app };",
    listen: fastify,
    guarded: ["/members", /Ann/],
  },
  {
    page: "packages/fastify/README.md",
    block: "onRequest: guard",
    around: "export { app };",
    listen: fastify,
    guarded: ["/account", /Ann/],
    open: "/",
  },
  {
    page: "packages/hono/README.md",
    block: "guard, (c)",
    around: "export { app };",
    listen: hono,
    guarded: ["/account", /Ann/],
    open: "/",
  },
  {
    page: "docs/hono.md",
    block: "createAuth((c) =>",
    around:
      'import { Hono } from "hono"; export const app = new Hono({ strict: false }); app.use(guard); app.use("/auth/*", handler); app.all("/*", (c) => c.text("SECRET"));',
    listen: hono,
    guarded: ["/anything", /^SECRET$/],
  },
  {
    page: "docs/h3.md",
    block: "app.use(guard);",
    around: 'app.all("/**", () => "SECRET"); export { app };',
    listen: h3,
    guarded: ["/anything", /^SECRET$/],
  },
  {
    page: "packages/h3/README.md",
    block: "// server/utils/auth.ts",
    around:
      'import { H3 } from "h3"; export const app = new H3(); app.use(guard); app.all("/auth/**", handler); app.all("/account/**", () => "SECRET"); app.all("/account", () => "SECRET"); app.all("/", () => "OPEN");',
    listen: h3,
    guarded: ["/account/7", /^SECRET$/],
    open: "/",
  },
  {
    page: "docs/getting-started-fetch.md",
    block: "// app.ts",
    listen: fetching,
    guarded: ["/account", /Ann/],
    open: "/",
  },
  {
    page: "packages/core/README.md",
    block: "export default {",
    listen: fetching,
    guarded: ["/anything", /Ann/],
  },
];

/** Ways to write a path, and what else clients, proxies and frameworks put into a request. */
function* spellingsOf(path: string): Generator<{ target: string; method?: string; headers?: Record<string, string> }> {
  const first = path.slice(1, 2);
  const escaped = `/%${first.charCodeAt(0).toString(16)}${path.slice(2)}`;
  const upper = `/${first.toUpperCase()}${path.slice(2)}`;
  const targets = [
    ...[path, `${path}/`, `${path}//`, `/${path}`, `/.${path}`, `/x/..${path}`, `/x/%2e%2e${path}`, `/%2e${path}`],
    ...[
      escaped,
      upper,
      path.toUpperCase(),
      `${path}?x=/auth/session`,
      `${path}#/auth/session`,
      `${path};/auth/session`,
    ],
    ...[
      `${path}%2Fx`,
      `${path}%00`,
      `${path}%20`,
      `${path}.rsc`,
      `${path}.json`,
      `/auth/session${path}`,
      `/auth/..${path}`,
    ],
    ...[
      `/auth/signin/..${path}`,
      `/auth/signin/%2e%2e/..${path}`,
      `http://127.0.0.1${path}`,
      `${path}\\..\\auth\\session`,
    ],
  ];
  for (const target of targets) yield { target };
  for (const method of ["HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) yield { target: path, method };
  for (const name of [
    "x-original-url",
    "x-rewrite-url",
    "x-forwarded-prefix",
    "x-middleware-subrequest",
    "next-url",
    "x-http-method-override",
  ])
    yield { target: path, headers: { [name]: "/auth/session" } };
}

let running: Server | undefined;
let folder = "";

async function start({ page, block, around = "", listen }: Documented): Promise<string> {
  const text = readBlock(page, block).replace(/(?:await )?app\.listen\([\s\S]*$/, "");
  const { origin, server } = await serve(await listen(await runModule(`${text}\n${around}`)));
  running = server;
  return origin;
}

async function cookieOf(origin: string): Promise<string> {
  const { header } = await createTestSession(config, { url: origin, user: { id: "7", name: "Ann" } });
  return header;
}

beforeEach(() => {
  const provider = { id: "example", name: "Example", type: "oidc", issuer: "https://id.example.com" };
  vi.stubGlobal("providers", [{ ...provider, clientId: "x", clientSecret: "y" }]);
  vi.stubGlobal("admin", (_req: unknown, res: { send(text: string): void }) => res.send("SECRET"));
  for (const name of ["EXAMPLE", "GITHUB"])
    for (const part of ["ID", "SECRET"]) vi.stubEnv(`AUTH_${name}_${part}`, "x");
  vi.stubEnv("AUTH_SECRET", SECRET);
  for (const method of ["warn", "error"] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  running?.closeAllConnections();
  running?.close();
  if (folder !== "") rmSync(folder, { recursive: true });
  folder = "";
});
afterAll(removeModules);

describe.each(documented)("the guard of $page: $block", (one) => {
  it("lets users in, and visitors into what is open", async () => {
    const origin = await start(one);
    const [path, shown] = one.guarded;
    const answer = await sendRaw(origin, { target: path, headers: { cookie: await cookieOf(origin) } });
    expect(answer.body).toMatch(shown);
    if (one.open !== undefined) expect((await sendRaw(origin, { target: one.open })).status).toBe(200);
  });

  it("lets no visitor in, whatever the request looks like", async () => {
    const origin = await start(one);
    const cookie = await cookieOf(origin);
    const open = one.open === undefined ? undefined : (await sendRaw(origin, { target: one.open })).body;
    for (const request of spellingsOf(one.guarded[0])) {
      const { status, body } = await sendRaw(origin, request);
      expect([request, body.includes("SECRET")]).toEqual([request, false]);
      const signedIn = await sendRaw(origin, { ...request, headers: { ...request.headers, cookie } });
      if (status === 200 && body !== open && body !== "")
        expect([request, signedIn.body]).toEqual([request, expect.not.stringMatching(one.guarded[1])]);
    }
  });
});

describe("what a page says that its guard does not cover", () => {
  /** The handshake of a WebSocket; resolves to the status. */
  async function upgrade(origin: string, cookie = ""): Promise<number> {
    const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-version": "13" };
    const headers = { upgrade: "websocket", connection: "Upgrade", cookie, ...key };
    const request = get(`${origin}/chat?room=1`, { headers });
    const [answer] = await Promise.race([once(request, "response"), once(request, "upgrade")]);
    request.destroy();
    return answer.statusCode;
  }

  /** h3 1 with a guard for everything, and a handler of WebSockets. */
  async function serveSocket(handler: unknown): Promise<string> {
    const { guard } = createAuth({ ...config, callbacks: { authorized: ({ auth }) => auth !== null } });
    // A cast: the handler of the page, which is for both versions.
    const app = createApp()
      .use(eventHandler(guard))
      .use("/chat", handler as EventHandler);
    const { origin, server } = await serve(toNodeListener(app));
    // The copy that h3 1 brings: the one that h3 2 accepts is another version.
    const crossws = join(
      realpathSync(join(import.meta.dirname, "../node_modules/h3-v1")),
      "../crossws/dist/adapters/node.mjs",
    );
    const { default: createAdapter } = await import(pathToFileURL(crossws).href);
    server.on("upgrade", createAdapter(app.websocket).handleUpgrade);
    running = server;
    return origin;
  }

  it.each([
    ["an object", config],
    [
      "a function",
      (request?: Request) => ({ ...config, secret: request?.url.endsWith("/chat?room=1") ? SECRET : "another" }),
    ],
  ])("an upgrade beside Express runs no middleware, and auth(req) reads its session: %s", async (_, given) => {
    const { auth } = createExpressAuth(given);
    const { origin, server } = await serve(() => undefined);
    running = server;
    server.on("upgrade", async (req, socket) => {
      const status = (await auth(req)) === null ? "401 Unauthorized" : "101 Switching Protocols\r\nUpgrade: websocket";
      socket.end(`HTTP/1.1 ${status}\r\n\r\n`);
    });
    expect(await upgrade(origin)).toBe(401);
    expect(await upgrade(origin, await cookieOf(origin))).toBe(101);
  });

  it("an upgrade of h3 1 runs no middleware", async () => {
    const origin = await serveSocket(defineWebSocketHandler({ open: () => undefined }));
    expect((await sendRaw(origin, { target: "/chat" })).status).toBe(302);
    expect(await upgrade(origin)).toBe(101);
  });

  it("and the hook that the page shows rejects visitors", async () => {
    const { default: handler } = await runModule(
      readBlock("docs/h3.md", "// server/routes/chat.ts").replace('from "h3"', 'from "h3-v1"'),
    );
    const origin = await serveSocket(handler);
    expect(await upgrade(origin)).toBe(401);
    expect(await upgrade(origin, await cookieOf(origin))).toBe(101);
  });

  it("an upgrade of h3 2 passes the guard, and visitors reach no hooks", async () => {
    const { guard } = createAuth({ ...config, callbacks: { authorized: ({ auth }) => auth !== null } });
    const app = new H3().use(guard).get("/chat", defineWebSocketHandlerV2({ open: () => undefined }));
    /** Where h3 2 leaves the hooks for the server that accepts the upgrade. */
    const reaches = async (cookie: string) => {
      const request = new Request("http://localhost/chat", { headers: { upgrade: "websocket", cookie } });
      const { status } = await app.fetch(request);
      return [status, Reflect.get(request, Symbol.for("crossws.hooks")) !== undefined];
    };
    expect(await reaches("")).toEqual([302, false]);
    expect(await reaches(await cookieOf("http://localhost"))).toEqual([426, true]);
  });

  function files(): string {
    folder = mkdtempSync(join(tmpdir(), "cardea-documented-"));
    mkdirSync(join(folder, "account"));
    writeFileSync(join(folder, "account/a.pdf"), "SECRET");
    return folder;
  }

  const guarded = { page: "docs/express.md", block: 'app.use("/account", auth);', listen: express } as const;
  const PAST = ["//account/a.pdf", "/%61ccount/a.pdf"];

  it("a folder of Express at the root answers past a guard at a path", async () => {
    const origin = await start({
      ...guarded,
      guarded: ["", /^$/],
      around: `app.use(express.static(${JSON.stringify(files())})); export { app };`,
    });
    expect((await sendRaw(origin, { target: "/account/a.pdf" })).body).not.toContain("SECRET");
    for (const target of PAST) expect((await sendRaw(origin, { target })).body).toContain("SECRET");
  });

  it.each([
    ["behind the guard", (path: string) => `app.use("/account", auth, express.static(${path} + "/account"));`],
    ["with the guard in front of everything", (path: string) => `app.use(auth); app.use(express.static(${path}));`],
  ])("and it does not %s", async (_, served) => {
    const around = `${served(JSON.stringify(files()))} export { app };`;
    const origin = await start({ ...guarded, guarded: ["", /^$/], around });
    for (const target of [...PAST, ...[...spellingsOf("/account/a.pdf")].map((one) => one.target)])
      expect([target, (await sendRaw(origin, { target })).body]).toEqual([
        target,
        expect.not.stringContaining("SECRET"),
      ]);
    const cookie = await cookieOf(origin);
    expect((await sendRaw(origin, { target: "/account/a.pdf", headers: { cookie } })).body).toBe("SECRET");
  });
});
