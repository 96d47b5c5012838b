/** The used parts of an event of h3 1 (Nuxt 3 and 4, Nitro 2) or h3 2 (Nitro 3). */
import * as core from "@cardea/core/operations";

/** An event of h3 1. */
export interface H3v1Event {
  /** Path and query as the router sees them. */
  readonly path: string;
  /** The HTTP method, upper-case. */
  readonly method: string;
  /** Request and response of Node.js. */
  readonly node: { readonly req: core.NodeIncoming; readonly res: core.NodeOutgoing };
  /** On runtimes with the Fetch API: the original request. */
  readonly web?: { readonly request?: Request | undefined } | undefined;
  /** The body of an event that was made without a request of Node.js, see `toPlainHandler()`. */
  readonly _requestBody?: unknown;
  /** Data of the request; its identity stays the same for the whole request. */
  readonly context: object;
}

/** An event of h3 2. */
export interface H3v2Event {
  /** The request. */
  readonly req: Request;
  /** The URL, without a prefix that the router removed. */
  readonly url: URL;
  /** The prepared response, whose headers are merged into the response of the handler. */
  readonly res: {
    readonly headers: Headers;
    /** Merged instead into responses with a status of 400 or more, and into thrown errors. */
    readonly errHeaders?: Headers;
  };
  /** Data of the request; its identity stays the same for the whole request. */
  readonly context: object;
}

/** An event of either version. */
export type H3Event = H3v1Event | H3v2Event;

/** Distinguishes the versions: only an event of h3 2 has a `URL` object. */
const isV2 = (event: H3Event): event is H3v2Event => "url" in event && event.url instanceof URL;

/** The request and response of Node.js, which h3 2 has at `runtime.node`. */
const nodeOf = ({ req }: H3v2Event): { readonly req?: unknown; readonly res?: unknown } =>
  Object(Object(Object(req).runtime).node);

const incomingOf = (event: H3v2Event): unknown => nodeOf(event).req;

const received = (event: H3v2Event): core.IncomingRequest => core.withAuthority(event.req, incomingOf(event));

/** The URL, method and headers of a request. The `Host` header is passed on; core validates it. */
export function readHead(event: H3Event): core.GuardedRequest {
  if (isV2(event)) {
    const { url, method, headers } = received(event);
    return { url, method, headers, sent: core.nodePath(incomingOf(event)), routed: event.url.pathname };
  }
  const { req } = event.node;
  const target = req.originalUrl ?? req.url ?? "/";
  const sent = pathOf(target);
  const query = /\?[^#]*/.exec(target)?.[0] ?? "";
  const origin = Reflect.get(req.socket ?? {}, "encrypted") === true ? "https://localhost" : "http://localhost";
  return {
    url: `${origin}/${query}`,
    method: event.method,
    headers: core.nodeHeaders(req.headers, req.rawHeaders),
    sent,
    routed: pathOf(event.path),
  };
}

/** h3 1 matches the path up to the first `?`, even an escaped one, because it decodes the path first. */
const pathOf = (target: string): string => target.replace(/\?.*$/s, "");

/** The complete request. One of Node.js is converted when it is its turn. */
export async function toWebRequest(event: H3Event): Promise<core.IncomingRequest> {
  if (isV2(event)) return received(event);
  const { web, node, _requestBody } = event;
  if (web?.request && !web.request.bodyUsed) return web.request;
  const kept: unknown = Reflect.get(node.req, RAW_BODY) ?? Reflect.get(node.req, PARSED_BODY) ?? _requestBody;
  return core.requestInTurn(event.method, () => fromNode(event, kept));
}

/** Where `readBody()` of h3 1 keeps what it has read. */
const [RAW_BODY, PARSED_BODY] = [Symbol.for("h3RawBody"), Symbol.for("h3ParsedBody")];

function fromNode(event: H3v1Event, kept: unknown): core.IncomingRequest {
  const { url, sent = "", headers, method } = readHead(event);
  const { origin, search } = new URL(url);
  const target = `${origin}${sent.startsWith("/") ? sent : "/"}${search}`;
  const source = kept === undefined ? event.node.req : { body: kept };
  return core.nodeRequest({ url: target, method, headers }, () => core.nodeBody(source, headers));
}

/** Whether cookies can still be set. */
export const isOpen = (event: H3Event): boolean => isV2(event) || !event.node.res.headersSent;

/** Sets cookies on the response that will be sent, whatever its status: a session that was ended must not survive an error. */
export function setCookies(event: H3Event, addition: core.AddedCookies): void {
  if (isV2(event)) for (const fields of fieldsOf(event)) core.addCookies(fields, addition, nodeOf(event).res ?? fields);
  else core.addNodeCookies(event.node.res, addition);
}

/** Moves the cookies of a response to the event, where they and its other headers replace earlier ones of the same name. */
export function sendResponse(event: H3Event, given: Response): Response {
  const { response, cookies } = core.takeCookies(given);
  setCookies(event, { cookies });
  // h3 2 prefers the headers of the event to those of a response.
  for (const fields of isV2(event) ? fieldsOf(event) : [])
    for (const [name, value] of response.headers) if (fields.has(name)) fields.set(name, value);
  return response;
}

/** The headers of h3 2, for success and for errors. */
const fieldsOf = ({ res: { headers, errHeaders = headers } }: H3v2Event): ReadonlySet<Headers> =>
  new Set([headers, errHeaders]);
