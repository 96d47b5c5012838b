/** Hono over HTTP/2: its server for Node.js makes the URL of `:authority`, and no `Host` header. */
import { once } from "node:events";
import { connect, createServer } from "node:http2";
import { createAuth } from "@cardea/hono";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { expect, it } from "vitest";

it("guards and answers over HTTP/2, for the host in `:authority`", async () => {
  const origins: string[] = [];
  const authorized = ({ request }: { request: Request }) => origins.push(new URL(request.url).origin) < 0;
  const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
  const secret = "a secret of more than thirty-two bytes for tests";
  const { handler, guard } = createAuth({ secret, logger, trustHost: true, providers: [], callbacks: { authorized } });
  const app = new Hono().use(guard).use("/auth/*", handler);
  app.get("/members", (c) => c.text("SECRET"));
  const server = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${Object(server.address()).port}`);
  const ask = async (path: string): Promise<string> => {
    const stream = client.request({ ":path": path, ":authority": "a.example", "sec-fetch-mode": "cors" });
    const [{ ":status": status }] = await once(stream, "response");
    return `${status} ${Buffer.concat(await stream.toArray()).toString("utf8")}`;
  };
  expect(await ask("/auth/session")).toBe("200 null");
  expect(await ask("/members")).toBe("401 ");
  expect(origins).toEqual(["http://a.example"]);
  client.close();
  await new Promise((resolve) => server.close(resolve));
});
