import { carriedMethod } from "../protocol/request-method.ts";
import type { NodeAnswer } from "../response/add-cookies.ts";
import type { IncomingBody, IncomingRequest } from "./incoming-request.ts";

/** Headers as in Node.js, by lower-case name. */
export type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The methods of Node's requests that reading a body needs. */
export interface NodeBody {
  /** Reads the body in chunks; absent on platforms without streams of Node.js. */
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterator<unknown>;
  /** Discards what is left of the body. */
  resume?(): unknown;
}

/** A Node.js request, or that of a framework built on Node.js. */
export interface NodeIncoming extends NodeBody {
  /** Path and query; a router may have removed a prefix. */
  readonly url?: string | undefined;
  /** Path and query as the browser sent them; absent if no router changed `url`. */
  readonly originalUrl?: string | undefined;
  /** The request headers; names are lower-case. */
  readonly headers: NodeHeaders;
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

/** The headers of a request, with repeated ones joined. In HTTP/2, `:authority` becomes `host` (RFC 9113 §8.3.1). */
export function nodeHeaders(given: NodeHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const item of name.startsWith(":") ? [] : [value ?? []].flat()) headers.append(name, item);
  }
  const { ":authority": authority } = given;
  if (typeof authority === "string") headers.set("host", authority);
  return headers;
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
 * The unread body; null on a platform without Node.js streams. Reads only as much as is requested. If the reader stops
 * early, the rest is discarded, so that the response can be sent.
 */
export function nodeBody(incoming: NodeBody): IncomingBody | null {
  const chunks = incoming.iterator?.({ destroyOnReturn: false });
  if (chunks === undefined) return null;
  const read = async () => {
    const { done, value } = await chunks.next();
    if (done === true) return { done } as const;
    return {
      done: false,
      value: typeof value === "string" ? new TextEncoder().encode(value) : assumeBytes(value),
    } as const;
  };
  const cancel = async () => {
    await chunks.return?.();
    incoming.resume?.();
  };
  return { getReader: () => ({ read, cancel }) };
}

/** A Node.js stream without an encoding contains bytes. */
function assumeBytes(value: unknown): Uint8Array {
  return value as Uint8Array;
}
