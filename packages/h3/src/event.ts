/** What this package needs of an event, of h3 1 (Nuxt 3 and 4, Nitro 2) or of h3 2 (Nitro 3). */
import { addCookies, addNodeCookies, type Cookie, type NodeAnswer } from "@cardea/core/operations";

/** A request of Node.js. */
interface NodeRequest {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket?: object | undefined;
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterator<unknown>;
  resume?(): unknown;
}

/** A response of Node.js. */
interface NodeResponse extends NodeAnswer {
  readonly headersSent: boolean;
  readonly writableFinished?: boolean;
  once?(event: "close", listener: () => void): unknown;
}

/** An event of h3 1. */
export interface H3v1Event {
  readonly path: string;
  readonly method: string;
  readonly node: { readonly req: NodeRequest; readonly res: NodeResponse };
  readonly web?: { readonly request?: Request | undefined } | undefined;
  readonly context: object;
}

/** An event of h3 2. */
export interface H3v2Event {
  readonly req: Request;
  readonly url: URL;
  readonly res: { readonly headers: Headers };
  readonly context: object;
}

/** An event of either version. */
export type H3Event = H3v1Event | H3v2Event;

/** A request, and its path as the router matches it. */
export interface EventHead {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly sent: string | undefined;
  readonly routed: string;
}

/** h3 1 has the request of Node.js under the name that is the Fetch API's in h3 2. */
const isV2 = (event: H3Event): event is H3v2Event => "url" in event && event.url instanceof URL;

/** The head of a request. The `Host` header is passed on, and validated by core. */
export function readHead(event: H3Event): EventHead {
  if (isV2(event)) {
    const { url, method, headers } = event.req;
    return { url, method, headers, sent: undefined, routed: event.url.pathname };
  }
  const { req } = event.node;
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    for (const item of name.startsWith(":") ? [] : [value ?? []].flat()) headers.append(name, item);
  }
  // HTTP/2 names the host there (RFC 9113 §8.3.1).
  const { ":authority": authority } = req.headers;
  if (typeof authority === "string") headers.set("host", authority);
  const target = req.originalUrl ?? req.url ?? "/";
  const sent = pathOf(target);
  const query = /\?[^#]*/.exec(target)?.[0] ?? "";
  const origin = Reflect.get(req.socket ?? {}, "encrypted") === true ? "https://localhost" : "http://localhost";
  return { url: `${origin}/${query}`, method: event.method, headers, sent, routed: pathOf(event.path) };
}

/** h3 1 matches up to the first `?`, also an escaped one: it has decoded the path. */
const pathOf = (target: string): string => target.replace(/\?.*$/s, "");

/** The complete request, its body unread. */
export function toWebRequest(event: H3Event): Request {
  if (isV2(event)) return event.req;
  const { url, sent, headers, method } = readHead(event);
  if (event.web?.request !== undefined) return event.web.request;
  const { req, res } = event.node;
  const client = new AbortController();
  res.once?.("close", () => {
    if (res.writableFinished === false) client.abort();
  });
  const hasBody = method !== "GET" && method !== "HEAD" && req.iterator !== undefined;
  const init: RequestInit & { duplex: "half" } = {
    method,
    headers,
    body: hasBody ? toStream(req) : null,
    duplex: "half",
    signal: client.signal,
  };
  const { origin, search } = new URL(url);
  return new Request(`${origin}${sent?.startsWith("/") === true ? sent : "/"}${search}`, init);
}

/** Reads no further than requested. When the reader stops, the rest is discarded, so that the response can be sent. */
function toStream(req: NodeRequest): ReadableStream<unknown> | null {
  const chunks = req.iterator?.({ destroyOnReturn: false });
  if (chunks === undefined) return null;
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await chunks.return?.();
        req.resume?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Whether cookies can still be set. */
export const isOpen = (event: H3Event): boolean => isV2(event) || !event.node.res.headersSent;

/** Sets cookies on the response to come. */
export function setCookies(event: H3Event, cookies: readonly (Cookie | string)[]): void {
  if (isV2(event)) addCookies(event.res.headers, cookies);
  else addNodeCookies(event.node.res, cookies);
}

/** Moves the cookies of a response to the event: they replace those of the same name that were set before. */
export function sendResponse(event: H3Event, response: Response): Response {
  const lines = response.headers.getSetCookie();
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  setCookies(event, lines);
  return new Response(response.body, { status: response.status, headers });
}
