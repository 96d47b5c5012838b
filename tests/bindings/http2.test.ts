/** HTTP/2: the servers for Node.js make the URL of `:authority`, and no `Host` header. */
import { once } from "node:events";
import { connect, createServer, type Http2Server } from "node:http2";
import { createAuth as createH3Auth } from "@cardea/h3";
import { createAuth as createHonoAuth } from "@cardea/hono";
import { getRequestListener } from "@hono/node-server";
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
