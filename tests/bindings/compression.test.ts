/** Real compression, and bodies that are streamed: what responses keep when their headers are sent late (docs/behaviour.md#responses). */

import type { RequestListener, Server } from "node:http";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { createAuth as createExpressAuth, type ExpressAuth } from "@cardea/express";
import { createAuth as createFastifyAuth } from "@cardea/fastify";
import { createAuth as createH3Auth } from "@cardea/h3";
import { createAuth as createHonoAuth } from "@cardea/hono";
import { getRequestListener } from "@hono/node-server";
import fastify from "fastify";
import { H3, toNodeHandler } from "h3";
import { createApp, eventHandler, setResponseHeader, toNodeListener } from "h3-v1";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { afterEach, describe, expect, it } from "vitest";
import { frameworks } from "../../packages/express/src/run-app.ts";
import {
  type Behaviour,
  brokenRules,
  cookieHeaders,
  rulesConfig,
} from "../../packages/testing/src/binding-contract/response-rules.ts";
import { serve } from "./open-paths/applications.ts";

// The package has no types.
const compression: (options: { threshold: number }) => ExpressAuth["router"] = createRequire(import.meta.url)(
  "compression",
);

const PARTS = ["first part, ", "second part"];
const WHOLE = PARTS.join("");

/** What the page sends, and what it chooses for caches. */
interface Page {
  readonly isStreamed: boolean;
  readonly cacheControl: string | undefined;
}

const streamOf = (): ReadableStream<Uint8Array> => {
  const left = PARTS.map((part) => new TextEncoder().encode(part));
  return new ReadableStream({
    pull: async (controller) => {
      await new Promise((resolve) => setImmediate(resolve));
      const part = left.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
};

type Start = (page: Page) => RequestListener | Promise<RequestListener>;

/** An application of Express, with middleware before the guard and after it. */
const onExpress =
  ({ express }: (typeof frameworks)[number], isFirst: boolean): Start =>
  ({ isStreamed, cacheControl }) => {
    const app = express();
    const { auth } = createExpressAuth(rulesConfig);
    const compressing = compression({ threshold: 0 });
    for (const step of isFirst ? [compressing, auth] : [auth, compressing]) app.use(step);
    app.get("/", async (_req, res) => {
      res.type("text/plain");
      if (cacheControl !== undefined) res.set("Cache-Control", cacheControl);
      if (!isStreamed) return void res.send(WHOLE);
      for (const part of PARTS) {
        res.write(part);
        // Of `compression()`: sends what it has so far.
        Object(res).flush();
        await new Promise((resolve) => setImmediate(resolve));
      }
      res.end();
    });
    return app;
  };

function honoApp(isFirst: boolean, { isStreamed, cacheControl }: Page) {
  const { guard } = createHonoAuth(rulesConfig);
  const app = new Hono();
  const compressing = compress({ threshold: 0 });
  for (const step of isFirst ? [compressing, guard] : [guard, compressing]) app.use(step);
  app.get("/", (c: Context) => {
    const headers = { "content-type": "text/plain", ...(cacheControl && { "cache-control": cacheControl }) };
    return c.body(isStreamed ? streamOf() : WHOLE, 200, headers);
  });
  return app;
}

const onFastify: Start = async ({ isStreamed, cacheControl }) => {
  const { guard } = createFastifyAuth(rulesConfig);
  const app = fastify();
  app.addHook("onRequest", guard);
  app.get("/", (_request, reply) => {
    if (cacheControl !== undefined) reply.header("Cache-Control", cacheControl);
    return reply.type("text/plain").send(isStreamed ? Readable.fromWeb(Object(streamOf())) : WHOLE);
  });
  await app.ready();
  return (request, response) => app.routing(request, response);
};

const h3App = ({ isStreamed, cacheControl }: Page) =>
  new H3().use(createH3Auth(rulesConfig).guard).get("/", (event) => {
    if (cacheControl !== undefined) event.res.headers.set("cache-control", cacheControl);
    return isStreamed ? streamOf() : WHOLE;
  });

const onH3v1: Start = ({ isStreamed, cacheControl }) =>
  toNodeListener(
    createApp()
      .use(eventHandler(createH3Auth(rulesConfig).guard))
      .use(
        eventHandler((event) => {
          if (cacheControl !== undefined) setResponseHeader(event, "cache-control", cacheControl);
          return isStreamed ? streamOf() : WHOLE;
        }),
      ),
  );

const COMPRESSED: Readonly<Record<string, Start>> = {
  ...Object.fromEntries(
    frameworks.flatMap((one) => [
      [`compression() before the guard of Express ${one.version}`, onExpress(one, true)],
      [`compression() behind the guard of Express ${one.version}`, onExpress(one, false)],
    ]),
  ),
  "compress() before the guard of Hono": (page) => getRequestListener(honoApp(true, page).fetch),
  "compress() behind the guard of Hono": (page) => getRequestListener(honoApp(false, page).fetch),
};

const PLAIN: Readonly<Record<string, Start>> = {
  Fastify: onFastify,
  "h3 2": (page) => toNodeHandler(h3App(page)),
  "h3 1": onH3v1,
};

/** Without a response of Node.js, as on workers. */
const FETCHED: Readonly<Record<string, (page: Page) => { fetch(request: Request): Response | Promise<Response> }>> = {
  "compress() before the guard of Hono": (page) => honoApp(true, page),
  "compress() behind the guard of Hono": (page) => honoApp(false, page),
  "h3 2": h3App,
};

let running: Server | undefined;
afterEach(() => {
  running?.closeAllConnections();
  running?.close();
});

/** Every session, in a page that is streamed or not, and that chooses a value for caches or does not. */
async function check(ask: (page: Page, headers: Record<string, string>) => Promise<Response>, isCompressed: boolean) {
  for (const session of ["renewed", "ended", "read", "visitor"] as const) {
    for (const isStreamed of [false, true]) {
      for (const cacheControl of [undefined, "public, max-age=600", "private, max-age=5"]) {
        const answer = await ask({ isStreamed, cacheControl }, await cookieHeaders(session));
        const after =
          cacheControl === undefined ? [] : [{ kind: "set" as const, name: "cache-control", value: cacheControl }];
        const behaviour: Behaviour = { session, before: [], after, end: "send", head: [] };
        const found = { text: await answer.text(), broken: brokenRules(behaviour, answer) };
        const given = { session, isStreamed, cacheControl };
        expect({ ...given, ...found }).toEqual({ ...given, text: WHOLE, broken: [] });
        expect(answer.headers.has("content-encoding")).toBe(isCompressed);
      }
    }
  }
}

describe.each([
  ...Object.entries(COMPRESSED).map(([name, start]) => [name, start, true] as const),
  ...Object.entries(PLAIN).map(([name, start]) => [`streams of ${name}`, start, false] as const),
])("%s", (_name, start, isCompressed) => {
  it("keeps cookies and the rules for caches", async () => {
    await check(async (page, headers) => {
      running?.close();
      const { origin, server } = await serve(await start(page));
      running = server;
      return fetch(origin, { headers });
    }, isCompressed);
  });
});

describe.each(Object.entries(FETCHED))("%s without Node.js", (name, create) => {
  it("keeps cookies and the rules for caches", async () => {
    const isCompressed = name.startsWith("compress");
    await check(async (page, headers) => {
      const request = new Request("http://localhost/", { headers: { ...headers, "accept-encoding": "gzip" } });
      const answer = await create(page).fetch(request);
      const body = isCompressed ? answer.body?.pipeThrough(new DecompressionStream("gzip")) : answer.body;
      return new Response(body, answer);
    }, isCompressed);
  });
});
