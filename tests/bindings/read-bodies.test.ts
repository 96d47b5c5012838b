/**
 * A form that something has read before the endpoint does, or for which the platform has no stream: parsers, hooks, and servers without
 * Node.js. What Express leaves is in `packages/express/src/to-web-request.test.ts`.
 */
import { createRequire } from "node:module";
import { PassThrough, Transform } from "node:stream";
import { createGunzip, gzipSync } from "node:zlib";
import * as fastifyBinding from "@cardea/fastify";
import * as h3Binding from "@cardea/h3";
import * as honoBinding from "@cardea/hono";
import fastify from "fastify";
import { createApp, eventHandler, readBody, toNodeListener, toPlainHandler } from "h3-v1";
import { type Context, Hono } from "hono";
import { describe, expect, it } from "vitest";

const config = {
  secret: "a secret of more than thirty-two bytes for tests",
  trustHost: true,
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  providers: [
    {
      id: "own",
      name: "Own",
      type: "credentials" as const,
      credentials: {},
      authorize: ({ name, tags }: Record<string, unknown>) => ({ id: "7", name: `${String(name)} ${String(tags)}` }),
    },
  ],
};

interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}
type Send = (path: string, sent: Sent) => Promise<{ readonly cookies: readonly string[]; readonly text: string }>;

/** As h3 1 declares nothing of it. */
const parseBody = (body: unknown) => body as BodyInit;

const answerOf = async (response: Response) => ({
  cookies: response.headers.getSetCookie(),
  text: await response.text(),
});

/** Signs in with a form, or with JSON; resolves to the name in the session. */
async function signIn(send: Send, isJson: boolean): Promise<unknown> {
  const jar = new Map<string, string>();
  const ask = async (path: string, type?: string, body?: string) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { host: "localhost", cookie, ...(type === undefined ? {} : { "content-type": type }) };
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)), body };
    const { body: sent, ...more } = { body: undefined, ...length };
    const method = sent === undefined ? "GET" : "POST";
    const all = { ...headers, ...more, "x-auth-return-redirect": "1" };
    const { cookies, text } = await send(path, { method, headers: all, ...(sent === undefined ? {} : { body: sent }) });
    for (const line of cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return JSON.parse(text);
  };
  const fields = { ...(await ask("/auth/csrf")), name: "Änn & Bob", tags: "a=1" };
  const form = ["application/x-www-form-urlencoded", new URLSearchParams(fields).toString()] as const;
  const answer = await ask(
    "/auth/callback/own",
    ...(isJson ? (["application/json", JSON.stringify(fields)] as const) : form),
  );
  expect(answer).toMatchObject({ url: expect.not.stringContaining("error") });
  return (await ask("/auth/session")).user.name;
}

/** h3 1: an application whose first handler may read the body. */
function h3App(isRead: boolean) {
  const { handler } = h3Binding.createAuth(config);
  const app = createApp();
  const read = eventHandler(async (event) => void (event.method === "POST" && (await readBody(event))));
  if (isRead) app.use(read);
  return app.use("/", eventHandler(handler));
}

/** The request of Node.js that Nitro makes where there is none, with a body as the platform has it. */
function withoutNode(wrap: (body: string) => unknown, isRead = false): Send {
  const load = createRequire(createRequire(import.meta.url).resolve("h3-v1"));
  const { fetchNodeRequestHandler } = load("node-mock-http");
  const listener = toNodeListener(h3App(isRead));
  return async (path, { body, ...init }) =>
    answerOf(
      await fetchNodeRequestHandler(listener, path, { ...init, ...(body === undefined ? {} : { body: wrap(body) }) }),
    );
}

function plain(isRead: boolean): Send {
  const handle = toPlainHandler(h3App(isRead));
  return async (path, { body, ...init }) => {
    const answer = await handle({ path, ...init, ...(body === undefined ? {} : { body: new Response(body).body }) });
    const lines = answer.headers.filter(([name]) => name === "set-cookie").map(([, line]) => line);
    return { cookies: lines, text: await new Response(parseBody(answer.body)).text() };
  };
}

function hono(read: (c: Context) => unknown): Send {
  const { handler } = honoBinding.createAuth(config);
  const app = new Hono().use(async (c, next) => {
    if (c.req.method === "POST") await read(c);
    await next();
  });
  app.use("/auth/*", handler);
  return async (path, init) => answerOf(await app.request(`http://localhost${path}`, init));
}

/** A hook in front of the plugin passes on another stream, as those that read or decompress a body do. */
function fastifyHook(): Send {
  const app = fastify();
  app.addHook("preParsing", async (_request, _reply, payload) => payload.pipe(new PassThrough()));
  void app.register(fastifyBinding.createAuth(config).plugin);
  return async (path, { method, headers, body }) => {
    const asked = { method: method === "POST" ? ("POST" as const) : ("GET" as const), url: path, headers };
    const answer = await app.inject({ ...asked, ...(body === undefined ? {} : { payload: body }) });
    return { cookies: [answer.headers["set-cookie"] ?? []].flat(), text: answer.body };
  };
}

const ROWS: Readonly<Record<string, () => Send>> = {
  "h3 1 without Node.js, bytes": () => withoutNode(Buffer.from),
  "h3 1 without Node.js, an ArrayBuffer": () => withoutNode((body) => new TextEncoder().encode(body).buffer),
  "h3 1 without Node.js, text": () => withoutNode(String),
  "h3 1 without Node.js, a stream": () => withoutNode((body) => new Response(body).body),
  "h3 1 without Node.js, read before": () => withoutNode(String, true),
  "h3 1 as a plain handler": () => plain(false),
  "h3 1 as a plain handler, read before": () => plain(true),
  "Hono, read by text()": () => hono((c) => c.req.text()),
  "Hono, read by blob()": () => hono((c) => c.req.blob()),
  "Hono, read by arrayBuffer()": () => hono((c) => c.req.arrayBuffer()),
  "Fastify, another stream": fastifyHook,
};
const OF_FORMS: Readonly<Record<string, () => Send>> = {
  "Hono, read by parseBody()": () => hono((c) => c.req.parseBody()),
  "Hono, read by formData()": () => hono((c) => c.req.formData()),
};

describe("a body that was read before, or has no stream, signs in", () => {
  it.each(Object.entries({ ...ROWS, ...OF_FORMS }))("%s: a form", async (_name, open) => {
    expect(await signIn(open(), false)).toBe("Änn & Bob a=1");
  });

  it.each(Object.entries({ ...ROWS, "Hono, read by json()": () => hono((c) => c.req.json()) }))(
    "%s: JSON",
    async (_name, open) => {
      expect(await signIn(open(), true)).toBe("Änn & Bob a=1");
    },
  );
});

describe("a body that something has failed to read, or has read for itself", () => {
  const malformed = { "content-type": "multipart/form-data; boundary=x", "x-auth-return-redirect": "1" };
  const post = { method: "POST", headers: malformed, body: "no part" };

  it("Hono: is the error of a malformed body", async () => {
    const { handler } = honoBinding.createAuth(config);
    const app = new Hono().use(async (c, next) => {
      await c.req.formData().catch(() => undefined);
      await next();
    });
    app.use("/auth/*", handler);
    expect((await app.request("http://localhost/auth/signin/own", post)).status).toBe(400);
    // It has no use for the body.
    expect((await app.request("http://localhost/auth/unknown", post)).status).toBe(404);
  });

  it("h3 1: is the error of a body that was read", async () => {
    const { handler } = h3Binding.createAuth(config);
    const app = createApp();
    const read = eventHandler(async ({ _requestBody }) => void (await new Response(parseBody(_requestBody)).text()));
    const handle = toPlainHandler(app.use(read).use("/", eventHandler(handler)));
    const { body } = new Response("a=1");
    const headers = { host: "localhost", "content-type": "application/x-www-form-urlencoded" };
    const answer = await handle({ path: "/auth/signin/own", method: "POST", headers, body });
    const text = await new Response(parseBody(answer.body)).text();
    expect([answer.status, text]).toEqual([400, expect.stringContaining("already read")]);
  });
});

describe("Fastify", () => {
  /** Signs in with a compressed body, behind a hook that decompresses. */
  async function decompressing(body: Buffer) {
    const app = fastify();
    const seen = { decompressed: 0, body: [] as unknown[] };
    app.addHook("preParsing", async (_request, _reply, payload) => {
      const gunzip = createGunzip();
      const counting = new Transform({
        transform: (part: Buffer, _encoding, done) => {
          seen.decompressed += part.length;
          done(null, part);
        },
      });
      return payload.pipe(gunzip).pipe(counting);
    });
    app.addHook("preHandler", async (request) => void seen.body.push(request.body));
    await app.register(fastifyBinding.createAuth(config).plugin);
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    try {
      const headers = { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" };
      const url = `${origin}/auth/callback/own`;
      const { status } = await fetch(url, { method: "POST", headers, body: new Uint8Array(body), redirect: "manual" });
      return { status, ...seen };
    } finally {
      await app.close();
    }
  }

  it("shows hooks no body, because it is not parsed", async () => {
    expect((await decompressing(gzipSync("a=1"))).body).toEqual([undefined]);
  });

  it("does not decompress what it discards", async () => {
    const large = await decompressing(gzipSync(Buffer.alloc(50_000_000)));
    expect(large.status).toBe(413);
    expect(large.decompressed).toBeLessThan(1_000_000);
  });

  it("shows hooks the status, the type and the bytes that are sent", async () => {
    const { plugin, guard } = fastifyBinding.createAuth({
      ...config,
      callbacks: { authorized: ({ auth }) => auth !== null },
    });
    const app = fastify();
    const seen: unknown[] = [];
    app.addHook("onSend", async (request, reply, payload) => {
      seen.push([request.url, reply.statusCode, reply.getHeader("content-type"), Buffer.isBuffer(payload)]);
    });
    await app.register(plugin);
    app.get("/members", { onRequest: guard }, () => "MEMBERS");
    const headers = { host: "localhost", "sec-fetch-mode": "cors" };
    for (const url of ["/auth/session", "/auth/unknown", "/members"]) await app.inject({ url, headers });
    expect(seen).toEqual([
      ["/auth/session", 200, "application/json", true],
      ["/auth/unknown", 404, expect.any(String), true],
      ["/members", 401, undefined, false],
    ]);
  });
});
