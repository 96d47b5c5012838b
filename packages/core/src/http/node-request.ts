import { parseUrl } from "../protocol/parse-url.ts";
import { splitTarget } from "../protocol/request-target.ts";
import type { NodeAnswer } from "./add-cookies.ts";
import type { BodyPart, IncomingBody, IncomingRequest } from "./incoming-request.ts";
import { parsedBody } from "./parsed-body.ts";

/** A token (RFC 9110 §5.6.2), except methods that a `Request` cannot have (Fetch §2.2.1). */
const CARRIED = /^(?!(?:CONNECT|TRACE|TRACK)$)[!#$%&'*+.^_`|~0-9A-Z-]+$/i;

/**
 * The method in upper case, as routers match it; null if a `Request` cannot have it. A guard rejects such a request, because
 * with a substitute method `callbacks.authorized` would decide about a different request.
 */
export function carriedMethod(method: string): string | null {
  return CARRIED.test(method) ? method.toUpperCase() : null;
}

/** Headers as in Node.js, by lower-case name. */
export type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The methods of Node's requests that reading a body needs. */
export interface NodeBody {
  /** Reads the body in chunks; absent on platforms without streams of Node.js. */
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterator<unknown>;
  /** Whether the whole request has arrived; absent on platforms where this is unknown. In HTTP/2 also true if it was aborted. */
  readonly complete?: boolean | undefined;
  /** The version of HTTP. */
  readonly httpVersionMajor?: number | undefined;
  /** Whether the stream was closed, with what was not read. */
  readonly destroyed?: boolean | undefined;
  /** Returns what has arrived, or null. */
  read?(): unknown;
  /** Discards what is left of the body. */
  resume?(): unknown;
  /** Passes nothing more on to other streams. */
  unpipe?(): unknown;
  /** Whether something has read the body, at least in part. */
  readonly readableDidRead?: boolean | undefined;
  /** Whether all of the body was read; also if there is no stream behind the request, as in functions of a cloud. */
  readonly readableEnded?: boolean | undefined;
  /** What the platform, or a parser of the application, made of a body that it has read; may be a promise of it. */
  readonly body?: unknown;
  /** The bytes of a body that the platform has read, used where `body` is absent or empty. */
  readonly rawBody?: unknown;
}

/** A Node.js request, or that of a framework built on Node.js. */
export interface NodeIncoming extends NodeBody {
  /** Path and query; a router may have removed a prefix. */
  readonly url?: string | undefined;
  /** Path and query as the browser sent them; absent if no router changed `url`. */
  readonly originalUrl?: string | undefined;
  /** The request headers; names are lower-case. */
  readonly headers: NodeHeaders;
  /** Names and values of all header lines, alternating; absent on platforms without them. */
  readonly rawHeaders?: readonly string[] | undefined;
  /** The connection; shows whether it is encrypted. */
  readonly socket?: object | undefined;
}

/** A Node.js response, or that of a framework built on Node.js. */
export interface NodeOutgoing extends NodeAnswer {
  /** Whether headers can no longer be added. */
  readonly headersSent: boolean;
}

/** URL, method and headers of a request. */
export interface NodeRequestHead {
  /** The URL as the server sees it, with the path that was sent. */
  readonly url: string;
  /** The method as it was sent. */
  readonly method: string;
  /** Its headers, see {@link nodeHeaders}. */
  readonly headers: Headers;
}

/** The headers of a request, with repeated ones joined. `host` is that of {@link nodeHost}. */
export function nodeHeaders(given: NodeHeaders, rawHeaders?: readonly string[]): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const item of name.startsWith(":") ? [] : [value ?? []].flat()) headers.append(name, item);
  }
  const host = nodeHost(given, rawHeaders);
  if (host !== undefined) headers.set("host", host);
  return headers;
}

/**
 * The host of a request; several are joined, and then rejected by `refuseHost`. Of several `Host` lines Node.js keeps the first, and a
 * proxy may have used the last (RFC 9112 §3.2). In HTTP/2 the host is in `:authority`, and a `host` must not differ (RFC 9113 §8.3.1).
 *
 * @param rawHeaders names and values of all header lines, alternating.
 */
export function nodeHost(
  { host, ":authority": authority }: NodeHeaders,
  rawHeaders: readonly string[] = [],
): string | undefined {
  const lines = rawHeaders.filter((_, n) => n % 2 === 1 && rawHeaders[n - 1]?.toLowerCase() === "host");
  const sent = lines.length > 1 ? lines : [host ?? []].flat();
  const all = typeof authority === "string" ? [authority, ...sent.filter((one) => one !== authority)] : sent;
  return all.length === 0 ? undefined : all.join(", ");
}

/**
 * The path that Node.js received, without its query; undefined if the request is not one of Node.js. An application that is mounted
 * below a path may have a request without that path, and must not take a page below it for its own. Empty if parsers could split the
 * target differently, which is rejected.
 *
 * @param incoming the request of Node.js, if there is one.
 */
export function nodePath(incoming: unknown): string | undefined {
  const { url } = Object(incoming);
  return typeof url === "string" ? (splitTarget(url)?.path ?? "") : undefined;
}

/**
 * A Fetch API request that a server made of a request of Node.js, without validating its host:
 *
 * 1. In HTTP/2 it has a `host` that the client sent, but not `:authority`; both are compared in {@link nodeHost}.
 * 2. If the host makes the URL one that cannot be parsed, another is put in its place. The header is passed on, and validated where it
 *    is used.
 *
 * @param incoming the request of Node.js, if there is one.
 */
export function withAuthority(request: Request, incoming: unknown): IncomingRequest {
  const { url: sent, method, headers: received } = request;
  const given: NodeHeaders = Object(Object(incoming).headers);
  const isSecond = given[":authority"] !== undefined && given.host !== undefined;
  const url = parseUrl(sent) === null ? sent.replace(/^(https?:\/\/)[^/?#]*/, "$1localhost") : sent;
  if (!isSecond && url === sent) return request;
  const headers = new Headers(received);
  if (isSecond) headers.set("host", nodeHost(given) ?? "");
  return {
    url,
    method,
    headers,
    get body() {
      return request.body;
    },
  };
}

/**
 * Converts a Node.js request for `respond`, which needs no `Request`: making one with its stream takes several times as long as
 * reading a form. A method that a `Request` cannot have becomes OPTIONS, which no action of core supports, so the response is 405.
 *
 * @param body called for methods that have a body.
 */
export function nodeRequest(
  { url, method: sent, headers }: NodeRequestHead,
  body: () => IncomingBody | null,
): IncomingRequest {
  const method = carriedMethod(sent) ?? "OPTIONS";
  return { url, method, headers, body: method === "GET" || method === "HEAD" ? null : body() };
}

/** The request without its body, as a `Request`: for guards and configuration functions. */
export function bodilessRequest({ url, method, headers }: NodeRequestHead): Request {
  return new Request(url, { method: carriedMethod(method) ?? "OPTIONS", headers });
}

/**
 * The body of a request. If it is unread, reads only as much as is requested; if the reader stops early, the rest is discarded, so that the
 * response can be sent.
 *
 * @param headers are changed if the body was read before, and is serialised again.
 * @param source the request, if the body is a stream made of it: one that decompresses would decompress what is discarded.
 */
export function nodeBody(incoming: NodeBody, headers: Headers, source = incoming): IncomingBody | null {
  const { iterator: iterate, readableDidRead, readableEnded, body, rawBody } = incoming;
  const isRead = iterate === undefined || readableDidRead === true || readableEnded === true;
  if (isRead) return parsedBody(rawBody && Object.keys(Object(body)).length === 0 ? rawBody : body, headers);
  let chunks: AsyncIterator<unknown> | undefined;
  const read = async () => {
    // Most forms have arrived whole by now; an iterator takes longer than all the rest of reading one.
    const next = chunks === undefined ? nextArrived(incoming) : undefined;
    if (next !== undefined) return next;
    chunks ??= iterate.call(incoming, { destroyOnReturn: false });
    const { done, value } = await chunks.next();
    return done === true ? ({ done } as const) : partOf(value);
  };
  const cancel = async () => {
    await chunks?.return?.();
    source.unpipe?.();
    source.resume?.();
  };
  return { getReader: () => ({ read, cancel }) };
}

/** The next part of a body that has arrived as a whole; undefined if that is not certain. */
function nextArrived(incoming: NodeBody): BodyPart | undefined {
  const { complete, destroyed, httpVersionMajor } = incoming;
  if (complete !== true || destroyed !== false || httpVersionMajor !== 1 || incoming.read === undefined)
    return undefined;
  const value = incoming.read();
  return value === null ? { done: true } : partOf(value);
}

function partOf(value: unknown): BodyPart {
  return { done: false, value: typeof value === "string" ? new TextEncoder().encode(value) : assumeBytes(value) };
}

/** A Node.js stream without an encoding contains bytes. */
function assumeBytes(value: unknown): Uint8Array {
  return value as Uint8Array;
}
