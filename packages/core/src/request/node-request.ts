import { carriedMethod } from "../protocol/request-method.ts";
import type { NodeAnswer } from "../response/add-cookies.ts";

/** Headers as in Node.js, by lower-case name. */
export type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The methods of Node's requests that reading a body needs. */
export interface NodeBody {
  /** Reads the body in chunks; absent on platforms without streams of Node.js. */
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterator<unknown>;
  /** Discards what is left of the body. */
  resume?(): unknown;
}

/** The members of Node's responses that show whether the client is still connected. */
export interface NodeConnection {
  /** Whether the whole response was handed to the operating system. */
  readonly writableFinished?: boolean;
  /** Whether the connection has ended already. */
  readonly destroyed?: boolean;
  /** Calls the listener when the connection ends. */
  once?(event: "close", listener: () => void): unknown;
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
export interface NodeOutgoing extends NodeAnswer, NodeConnection {
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
 * Converts a Node.js request for `respond`. The signal aborts if the client disconnects before the response is sent. A method
 * that a `Request` cannot have becomes OPTIONS, which no action of core supports, so the response is 405.
 *
 * @param body called for methods that have a body.
 */
export function nodeRequest(
  { url, method: sent, headers }: NodeRequestHead,
  connection: NodeConnection,
  body: () => BodyInit | null,
): Request {
  const client = new AbortController();
  const leave = () => {
    if (connection.writableFinished === false) client.abort();
  };
  if (connection.destroyed === true) leave();
  else connection.once?.("close", leave);
  const method = carriedMethod(sent) ?? "OPTIONS";
  const isEmpty = method === "GET" || method === "HEAD";
  const init: RequestInit & { duplex: "half" } = {
    method,
    headers,
    body: isEmpty ? null : body(),
    duplex: "half",
    signal: client.signal,
  };
  return new Request(url, init);
}

/**
 * The body as a stream; null on a platform without Node.js streams. Reads only as much as is requested. If the reader stops
 * early, the rest is discarded, so that the response can be sent.
 */
export function nodeBody(incoming: NodeBody): ReadableStream<Uint8Array> | null {
  const chunks = incoming.iterator?.({ destroyOnReturn: false });
  if (chunks === undefined) return null;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(typeof value === "string" ? new TextEncoder().encode(value) : assumeBytes(value));
      },
      cancel: async () => {
        await chunks.return?.();
        incoming.resume?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A Node.js stream without an encoding contains bytes. */
function assumeBytes(value: unknown): Uint8Array {
  return value as Uint8Array;
}
