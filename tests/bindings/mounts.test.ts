/** Applications that are mounted in another one, behind its guard: they may read the path as it was sent, which the router has decoded. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createAuth as createH3Auth } from "@cardea/h3";
import { createAuth as createHonoAuth } from "@cardea/hono";
import { getRequestListener } from "@hono/node-server";
import fc from "fast-check";
import { createApp, eventHandler, fromNodeMiddleware, toNodeListener } from "h3-v1";
import { Hono } from "hono";
import { methodOverride } from "hono/method-override";
import { afterEach, describe, expect, it } from "vitest";
import { sendRaw } from "../../packages/testing/src/binding-contract/send-raw.ts";
import { serve } from "./open-paths/applications.ts";

const OPEN = "/legacy/open";

/** @param methods that visitors may use. */
const configOf = (methods: readonly string[]) => ({
  secret: "a secret of more than thirty-two bytes for tests",
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  trustHost: true,
  providers: [],
  callbacks: {
    authorized: ({ request }: { request: Request }) =>
      new URL(request.url).pathname === OPEN && methods.includes(request.method),
  },
});

/** What a mounted application shows: it has a page for all paths. */
const pageAt = (path: string): string => (path === OPEN || path === "/open" ? "OPEN" : `GUARDED:${path}`);

/** A guard in the place of ours, for controls: it decides about the decoded path. */
const former = (path: string): boolean => path === OPEN;

type Start = (isFormer: boolean) => RequestListener;

const onHono =
  (mount: (app: Hono) => unknown): Start =>
  (isFormer) => {
    const app = new Hono();
    if (isFormer) app.use((c, next) => (former(c.req.path) ? next() : Promise.resolve(c.body(null, 401))));
    else app.use(createHonoAuth(configOf(["GET", "HEAD"])).guard);
    mount(app);
    return getRequestListener(app.fetch);
  };

const answerOf = (request: Request) => new Response(pageAt(new URL(request.url).pathname));

const mounted: Readonly<Record<string, { readonly start: Start; readonly readsSent: boolean }>> = {
  "mount() of Hono": { start: onHono((app) => app.mount("/legacy", answerOf)), readsSent: false },
  "mount() of Hono, with the request as it was sent": {
    start: onHono((app) => app.mount("/legacy", answerOf, { replaceRequest: false })),
    readsSent: true,
  },
  "route() of Hono": {
    start: onHono((app) =>
      app.route(
        "/legacy",
        new Hono().all("/*", (c) => c.text(pageAt(c.req.path))),
      ),
    ),
    readsSent: false,
  },
  "middleware of Node.js in h3 1": {
    start: (isFormer) => {
      const { guard } = createH3Auth(configOf(["GET", "HEAD"]));
      const theirs = eventHandler((event) => (former(event.path) ? undefined : new Response(null, { status: 401 })));
      const inner = fromNodeMiddleware((req: IncomingMessage, res: ServerResponse) =>
        res.end(pageAt(Object(req).originalUrl)),
      );
      return toNodeListener(
        createApp()
          .use(isFormer ? theirs : eventHandler(guard))
          .use("/legacy", inner),
      );
    },
    readsSent: true,
  },
};

/** The open path with some of its characters escaped. */
const target = fc
  .array(fc.integer({ min: 1, max: OPEN.length - 1 }), { maxLength: 3 })
  .map((escaped) =>
    [...OPEN].map((one, at) => (escaped.includes(at) && one !== "/" ? `%${one.charCodeAt(0).toString(16)}` : one)),
  )
  .map((characters) => characters.join(""));

let running: Server | undefined;
afterEach(() => {
  running?.closeAllConnections();
  running?.close();
});

async function open(listener: RequestListener): Promise<string> {
  const { origin, server } = await serve(listener);
  running = server;
  return origin;
}

const property = (origin: string) =>
  fc.asyncProperty(target, async (sent) => {
    const { status, headers, body } = await sendRaw(origin, { target: sent });
    expect([sent, body.includes("GUARDED")]).toEqual([sent, false]);
    const location = headers.get("location");
    if (status !== 200) expect([sent, status, new URL(location ?? "", origin).pathname]).toEqual([sent, 308, OPEN]);
  });

describe.each(Object.entries(mounted))("%s", (_name, { start }) => {
  it("shows visitors nothing but the page that they may open, however its path is written", async () => {
    const origin = await open(start(false));
    expect((await sendRaw(origin, { target: OPEN })).body).toBe("OPEN");
    expect((await sendRaw(origin, { target: "/legacy/other" })).status).toBe(302);
    await fc.assert(property(origin), { numRuns: 100 });
  });
});

describe.each(Object.entries(mounted).filter(([, { readsSent }]) => readsSent))("%s", (_name, { start }) => {
  it("shows more behind a guard that decides about the decoded path", async () => {
    const origin = await open(start(true));
    expect((await fc.check(property(origin), { numRuns: 200, endOnFailure: true })).failed).toBe(true);
  });
});

describe("methodOverride() of Hono", () => {
  it("asks the guard about the method that takes effect", async () => {
    const app = new Hono();
    app.use(createHonoAuth(configOf(["GET", "POST"])).guard);
    app.use(methodOverride({ app, header: "x-http-method-override" }));
    app.post(OPEN, (c) => c.text("OPEN"));
    app.delete(OPEN, (c) => c.text("GUARDED"));
    const origin = await open(getRequestListener(app.fetch));
    const send = (headers: Record<string, string>) => sendRaw(origin, { target: OPEN, method: "POST", headers });
    expect(await send({})).toMatchObject({ status: 200, body: "OPEN" });
    expect(await send({ "x-http-method-override": "DELETE" })).toMatchObject({ status: 401 });
  });
});
