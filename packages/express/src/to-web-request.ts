import type { Request as ExpressRequest, Response as ExpressResponse } from "express";
import { readMethod } from "./request-method.ts";
import { readPaths } from "./request-paths.ts";

/** The head of a request as Fetch API objects; enough to read a session. */
export interface WebRequestHead {
  readonly url: string;
  readonly headers: Headers;
}

/**
 * The URL and headers of a request, before any mount removed its part of the path. The host of the URL is that of the
 * `Host` header if that is valid; the header itself is passed on, and core validates it.
 *
 * @param path which path the URL has: the one that the routers match, or the one that was sent. `/` if it was rejected.
 */
export function toWebRequestHead(req: ExpressRequest, path: "routed" | "sent" = "routed"): WebRequestHead {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item);
  }
  const paths = readPaths(req);
  const target = paths === null ? "/" : `${paths[path]}${paths.query}`;
  return { url: `${originOf(req)}${target}`, headers };
}

/**
 * `URL.canParse` is not usable: on Node 20 and 22, once optimised, it is wrong about bytes that a `Host` header can
 * contain.
 */
function originOf(req: ExpressRequest): string {
  try {
    return new URL(`${req.protocol === "https" ? "https" : "http"}://${req.headers.host ?? ""}`).origin;
  } catch {
    return "http://localhost";
  }
}

/**
 * The request without its body, for guards and configuration functions.
 *
 * @returns a request whose path is the one that the routers match.
 */
export function toToldRequest(req: ExpressRequest): Request {
  return new Request(...initOf(req, "routed"));
}

/**
 * The complete request, as it was sent. An unread body is streamed; a body that a parser has read is serialised again from
 * the parser's result.
 *
 * @param res its end tells that the client disconnected before the response: the request's signal then aborts.
 */
export function toWebRequest(req: ExpressRequest, res: ExpressResponse): Request {
  const [url, { method, headers }] = initOf(req, "sent");
  const client = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) client.abort();
  });
  const body = method === "GET" || method === "HEAD" ? null : bodyOf(req, headers);
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half", signal: client.signal };
  return new Request(url, init);
}

function initOf(req: ExpressRequest, path: "routed" | "sent"): [string, { method: string; headers: Headers }] {
  const { url, headers } = toWebRequestHead(req, path);
  // The guard rejects methods that a `Request` cannot have; endpoints treat them as unknown, like OPTIONS.
  return [url, { method: readMethod(req) ?? "OPTIONS", headers }];
}

/** Reads no further than requested. When the reader stops, the rest is discarded, so that the response can be sent. */
function toStream(req: ExpressRequest): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<unknown> = req.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(typeof value === "string" ? Buffer.from(value) : parseBytes(value));
      },
      cancel: async () => {
        await chunks.return?.();
        req.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/** An undecoded Node stream contains bytes. */
function parseBytes(value: unknown): Uint8Array {
  return value as Uint8Array;
}

/** The body as received, or re-serialised as the client may have sent it, with matching headers. */
function bodyOf(req: ExpressRequest, headers: Headers): BodyInit | null {
  if (!req.readableDidRead) return toStream(req);
  const body: unknown = req.body;
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  if (body === undefined || body === null) return null;
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (/^application\/(?:[^;\s]+\+)?json\b/i.test(headers.get("content-type") ?? "")) return JSON.stringify(body);
  headers.set("content-type", "application/x-www-form-urlencoded");
  return new URLSearchParams(Object.entries(body).flatMap(([name, value]) => formFields(name, value)));
}

/** `a=1&a=2` and `a[b]=1`, as form parsers read them. */
function formFields(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => formFields(name, item));
  if (typeof value !== "object" || value === null) return [[name, String(value ?? "")]];
  return Object.entries(value).flatMap(([key, item]) => formFields(`${name}[${key}]`, item));
}
