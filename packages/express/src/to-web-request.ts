import type { Request as ExpressRequest, Response as ExpressResponse } from "express";
import { readMethod } from "./request-method.ts";
import { readPaths } from "./request-paths.ts";

/** The head of a request in the Fetch API's terms; enough to read a session. */
export interface WebRequestHead {
  readonly url: string;
  readonly headers: Headers;
}

/**
 * The URL and headers of a request, before any mount took its part of the path. The host of the URL is that of the `Host`
 * header where it is one; the header itself is passed on, for the engine to judge.
 *
 * @param path which one the URL has: that which the routers match, or the one that was sent. `/` where it was refused.
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

/** `URL.canParse` would not do: on Node 20 and 22 it is wrong about the bytes that a `Host` header can hold, once optimized. */
function originOf(req: ExpressRequest): string {
  try {
    return new URL(`${req.protocol === "https" ? "https" : "http"}://${req.headers.host ?? ""}`).origin;
  } catch {
    return "http://localhost";
  }
}

/**
 * The request without its body, as guards and configuration functions are told of it.
 *
 * @returns a request whose path is the one that the routers match.
 */
export function toToldRequest(req: ExpressRequest): Request {
  return new Request(...initOf(req, "routed"));
}

/**
 * The whole request, as it was sent. A body that nobody has read is streamed; one that a body parser has read is written again
 * from what the parser made of it.
 *
 * @param res its end tells that the client went before it had its answer: the request's signal then aborts.
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
  // The guard refuses what no Request can have; to the actions it is as unknown as OPTIONS.
  return [url, { method: readMethod(req) ?? "OPTIONS", headers }];
}

/** Reads no further than it is asked to. What is left when the reader stops is discarded, so that the answer gets through. */
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

/** A stream of Node that is not decoded has bytes. */
function parseBytes(value: unknown): Uint8Array {
  return value as Uint8Array;
}

/** The body as it comes, or as the client may have written it, with headers that say what it is now. */
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

/** `a=1&a=2` and `a[b]=1`, as parsers of forms understand them. */
function formFields(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => formFields(name, item));
  if (typeof value !== "object" || value === null) return [[name, String(value ?? "")]];
  return Object.entries(value).flatMap(([key, item]) => formFields(`${name}[${key}]`, item));
}
