import { createServer, type RequestListener } from "node:http";
import fc from "fast-check";
import { H3, type H3Event, HTTPError, redirect as redirectTo, toNodeHandler } from "h3";
import { createApp, createError, eventHandler, setResponseStatus, toNodeListener, toWebHandler } from "h3-v1";
import { describe, expect, it } from "vitest";
import {
  applySteps,
  applyToNode,
  applyWhenSent,
  type Behaviour,
  behaviours,
  brokenRules,
  cookieHeaders,
  endNode,
  rulesConfig,
  rulesProperty,
  type Step,
  signOutElsewhere,
  untilSent,
} from "../../testing/src/binding-contract/response-rules.ts";
import { isLong } from "../../testing/src/long-form.ts";
import { createAuth } from "./create-auth.ts";

interface Opened {
  readonly listener: RequestListener;
  /** Without a response of Node.js, as on workers. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly setBehaviour: (behaviour: Behaviour) => void;
}

function openV1(first: (res: object) => void = () => undefined): Opened {
  const { guard, signOut } = createAuth(rulesConfig);
  let current: Behaviour | undefined;
  const app = createApp()
    .use(eventHandler((event) => void first(event.node.res)))
    .use(eventHandler((event) => applyToNode(current?.before ?? [], event.node.res)))
    .use(eventHandler(guard))
    .use(
      eventHandler(async (event) => {
        if (current === undefined) return "";
        if (current.session === "leaving") await signOut(event, { redirect: false });
        if (current.session === "gone") await signOutElsewhere(event.headers.get("cookie") ?? "");
        applyToNode(current.after, event.node.res);
        if (current.end === "throw") throw createError({ statusCode: 418 });
        if (current.end === "not-modified") setResponseStatus(event, 304);
        if (["send", "not-modified"].includes(current.end)) return "last";
        if (current.end === "stream") return new Response("last").body;
        endNode(current, event.node.res);
      }),
    );
  return {
    listener: toNodeListener(app),
    fetch: toWebHandler(app),
    setBehaviour: (behaviour) => {
      current = behaviour;
    },
  };
}

const toHeaders = (list: readonly Step[], headers: Headers): Headers => {
  const append = (name: string, value: string | string[]) => {
    for (const one of [value].flat()) headers.append(name, one);
  };
  const remove = (name: string) => headers.delete(name);
  const set = (name: string, value: string | string[]) => {
    remove(name);
    append(name, value);
  };
  applySteps(list, { set, append, remove });
  return headers;
};

function endV2({ end, head }: Behaviour): unknown {
  if (end === "throw") throw new HTTPError({ status: 418 });
  if (end === "redirect") return redirectTo("/");
  if (end === "not-modified") return new Response(null, { status: 304 });
  if (end === "stream" || end === "flush") return new Response("last").body;
  return end === "send" ? "last" : new Response("last", { headers: toHeaders(head, new Headers()) });
}

function openV2(first: (headers: object) => void = () => undefined): Opened {
  const { guard, signOut } = createAuth(rulesConfig);
  let current: Behaviour | undefined;
  const app = new H3({ silent: true });
  app.use(({ res }: H3Event) => [res.headers, res.errHeaders].forEach(first));
  app.use((event: H3Event) => void toHeaders(current?.before ?? [], event.res.headers));
  app.use(guard);
  app.use(async (event: H3Event) => {
    if (current === undefined) return "";
    if (current.session === "leaving") await signOut(event, { redirect: false });
    if (current.session === "gone") await signOutElsewhere(event.req.headers.get("cookie") ?? "");
    toHeaders(current.after, event.res.headers);
    return endV2(current);
  });
  return {
    listener: toNodeHandler(app),
    fetch: async (request) => app.fetch(request),
    setBehaviour: (behaviour) => {
      current = behaviour;
    },
  };
}

/** Prevents the library from noticing when headers are sent. */
const former =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    Object.defineProperty(res, "writeHead", { value: res.writeHead.bind(res), writable: false });
    listener(req, res);
  };

async function serve({ listener, setBehaviour }: Omit<Opened, "fetch">) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  const rules = { origin: `http://127.0.0.1:${Object(server.address()).port}`, setBehaviour };
  return { rules, [Symbol.asyncDispose]: close };
}

/** Lets middleware of Node.js, not the handler, do the steps after the guard, when the headers are sent. */
function late({ listener, setBehaviour }: Omit<Opened, "fetch">): Omit<Opened, "fetch"> {
  let after: readonly Step[] = [];
  return {
    listener: (req, res) => {
      applyWhenSent(() => after, res);
      listener(req, res);
    },
    setBehaviour: (behaviour) => {
      after = behaviour.after;
      setBehaviour({ ...behaviour, after: [] });
    },
  };
}

/** h3 2 prefers the headers of the event to those of a response: among them a private choice of middleware before us, which we keep. */
const isKept = ({ name, value }: Step) => /^cache-control$/i.test(name) && /private/i.test(String(value));
const ofV2 = behaviours.map((one) =>
  one.end.startsWith("head-") ? { ...one, before: one.before.filter((step) => !isKept(step)), after: [] } : one,
);

describe.each([
  ["h3 1", () => openV1(), behaviours],
  ["h3 2", () => openV2(), ofV2],
] as const)("responses of %s", (_version, open, given) => {
  it("keep our cookies, and what a session admitted, out of shared caches, whatever a handler does", async () => {
    await using app = await serve(open());
    await fc.assert(rulesProperty(app.rules, given), { numRuns: isLong ? 3000 : 50 });
  });

  it("keep them out, whatever middleware before the application does when the headers are sent", async () => {
    await using app = await serve(late(open()));
    await fc.assert(rulesProperty(app.rules, untilSent), { numRuns: isLong ? 3000 : 50 });
  });

  it("would not, if headers were set before the handler only", async () => {
    const { listener, setBehaviour } = open();
    await using app = await serve({ listener: former(listener), setBehaviour });
    expect((await fc.check(rulesProperty(app.rules, given), { numRuns: 1000, endOnFailure: true })).failed).toBe(true);
  });
});

/** The response that h3 1 imitates does not know lists, and no method is called when a stream is sent. */
const elsewhereV1 = behaviours
  .filter(({ end }) => !["head-list", "head-pairs"].includes(end))
  .filter(({ end, session }) => session !== "gone" || end !== "stream");

/** Of a response that the handler made itself, only what the event has as well is replaced. */
const elsewhereV2 = ofV2.map((one) => ({ ...one, head: [] }));

/** Prevents the library from noticing when the headers of a response change or are read. */
const prevents = {
  1: (res: object) => Object.assign(res, { socket: {} }),
  2: (headers: object) => {
    for (const name of ["set", "append", "delete", "keys", "entries", "forEach", "getSetCookie", Symbol.iterator])
      Object.defineProperty(headers, name, { value: Reflect.get(headers, name), writable: false });
  },
};

describe.each([
  [1, openV1, elsewhereV1],
  [2, openV2, elsewhereV2],
] as const)("responses of h3 %s without Node.js", (version, open, given) => {
  const property = (prevent?: (res: object) => void) =>
    fc.asyncProperty(given, async (behaviour) => {
      const { fetch, setBehaviour } = open(prevent);
      setBehaviour(behaviour);
      const headers = await cookieHeaders(behaviour.session);
      expect(brokenRules(behaviour, await fetch(new Request("http://localhost/", { headers })))).toEqual([]);
    });

  it("break no rule", async () => {
    await fc.assert(property(), { numRuns: isLong ? 3000 : 50 });
  });

  it("would, if the rules did not apply to each change and each read", async () => {
    const { failed } = await fc.check(property(prevents[version]), { numRuns: 1000, endOnFailure: true });
    expect(failed).toBe(true);
  });
});
