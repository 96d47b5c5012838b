/** HTTP/2: the servers for Node.js make the URL of `:authority`, and no `Host` header. */
import { once } from "node:events";
import { connect, createServer, type Http2Server } from "node:http2";
import { createAuth as createFastifyAuth } from "@cardea/fastify";
import { createAuth as createH3Auth } from "@cardea/h3";
import { createAuth as createHonoAuth } from "@cardea/hono";
import { getRequestListener } from "@hono/node-server";
import fastify from "fastify";
import { H3, toNodeHandler } from "h3";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";

const SECRET = "a secret of more than thirty-two bytes for tests";

function makeConfig(hosts: (string | null)[]) {
  const authorized = ({ request }: { request: Request }) => hosts.push(request.headers.get("host")) < 0;
  const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
  return { secret: SECRET, logger, trustHost: true, providers: [], callbacks: { authorized } };
}

const SERVERS: Readonly<Record<string, (hosts: (string | null)[]) => Http2Server>> = {
  Hono: (hosts) => {
    const { handler, guard } = createHonoAuth(makeConfig(hosts));
    const app = new Hono().use(guard).use("/auth/*", handler);
    app.get("/members", (c) => c.text("SECRET"));
    return createServer(getRequestListener(app.fetch));
  },
  "h3 2": (hosts) => {
    const { handler, guard } = createH3Auth(makeConfig(hosts));
    const app = new H3().use(guard).all("/auth/**", handler);
    app.get("/members", () => "SECRET");
    return createServer(toNodeHandler(app));
  },
};

describe.each(Object.entries(SERVERS))("%s over HTTP/2", (_name, start) => {
  it("guards and answers for the host in `:authority`, and refuses another `host` beside it (RFC 9113 §8.3.1)", async () => {
    const hosts: (string | null)[] = [];
    const server = start(hosts).listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = connect(`http://127.0.0.1:${Object(server.address()).port}`);
    const ask = async (path: string, own: Readonly<Record<string, string>>) => {
      const stream = client.request({ ":path": path, ":authority": "a.example", ...own });
      const [{ ":status": status, location }] = await once(stream, "response");
      return `${status} ${location ?? Buffer.concat(await stream.toArray()).toString("utf8")}`;
    };
    for (const headers of [{}, { host: "a.example" }]) {
      expect(await ask("/auth/session", headers)).toBe("200 null");
      expect(await ask("/members", { ...headers, "sec-fetch-mode": "cors" })).toBe("401 ");
      expect(await ask("/members", headers)).toBe("302 http://a.example/auth/signin?callbackUrl=%2Fmembers");
    }
    const asked = hosts.length;
    for (const path of ["/auth/session", "/members"])
      expect(await ask(path, { host: "evil.example" })).toBe("400 The host of this request is ambiguous.");
    expect(hosts.length).toBe(asked);
    client.close();
    await new Promise((resolve) => server.close(resolve));
  });
});

/** Applications with a page for all paths; visitors may open `/open`. */
const GUARDED: Readonly<Record<string, () => Http2Server | Promise<Http2Server>>> = {
  Hono: () => {
    const { handler, guard } = createHonoAuth(openConfig);
    const app = new Hono().use(guard).use("/auth/*", handler);
    app.all("/open", (c) => c.text("OPEN"));
    app.all("/*", (c) => c.text("SECRET"));
    return createServer(getRequestListener(app.fetch));
  },
  "h3 2": () => {
    const { handler, guard } = createH3Auth(openConfig);
    const app = new H3().use(guard).all("/auth/**", handler);
    app.all("/open", () => "OPEN").all("/**", () => "SECRET");
    return createServer(toNodeHandler(app));
  },
  Fastify: async () => {
    const { plugin, guard } = createFastifyAuth(openConfig);
    const app = fastify({ http2: true });
    app.addHook("onRequest", guard);
    await app.register(plugin);
    app.all("/open", async () => "OPEN");
    app.all("/*", async () => "SECRET");
    await app.ready();
    return createServer((request, response) => app.routing(request, response));
  },
};

const openConfig = {
  ...makeConfig([]),
  callbacks: { authorized: ({ request }: { request: Request }) => new URL(request.url).pathname === "/open" },
};

/** Targets that HTTP/1.1 has in other forms, or not at all, and spellings of an open path. */
const TARGETS = [
  ...["/members", "*", "open", "", "http://a.example/members", "http://a.example/open", "HTTP://a.example/members"],
  ...[
    "//a.example/members",
    "ftp://a/open",
    "/open#/members",
    "/open?x#/members",
    "/members#/open",
    "/open/../members",
  ],
  ...["/open/%2e%2e/members", "/%6fpen", "/open;/members", "/open%2fmembers", "/open%5cmembers", "/open\\members"],
  ...[
    "/open%00",
    "/open//",
    "/OPEN",
    "/open%c0%ae",
    "/open%ff",
    "/open%252fmembers",
    "/auth/session/x",
    "/auth//session",
  ],
];

/** What replaces the other pseudo headers. */
const OTHERS: readonly Readonly<Record<string, string>>[] = [
  ...["HEAD", "OPTIONS", "get", "PROPFIND", "QUERY", "POST"].map((method) => ({ ":method": method })),
  ...["https", "ftp"].map((scheme) => ({ ":scheme": scheme })),
  ...["evil/open", "a.example/../", "a@b", ""].map((authority) => ({ ":authority": authority })),
  ...[{}, { host: "b" }],
];

describe.each(Object.entries(GUARDED))("%s over HTTP/2", (_name, start) => {
  it("lets no visitor in, whatever the pseudo headers say", async () => {
    const server = (await start()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = connect(`http://127.0.0.1:${Object(server.address()).port}`);
    const show = async (headers: Readonly<Record<string, string>>): Promise<string> => {
      const stream = client.request({ ":authority": "a.example", ...headers }, { endStream: true });
      try {
        const [{ ":status": status }] = await once(stream, "response");
        return `${status} ${Buffer.concat(await stream.toArray()).toString("utf8")}`;
      } catch (error) {
        return `rejected: ${Object(error).code}`;
      }
    };
    expect(await show({ ":path": "/open" })).toBe("200 OPEN");
    for (const path of TARGETS) {
      for (const other of OTHERS) {
        const shown = await show({ ":path": path, ...other });
        expect([path, other, shown.includes("SECRET"), shown.startsWith("5")]).toEqual([path, other, false, false]);
      }
    }
    expect(await show({ ":path": "/open" })).toBe("200 OPEN");
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
