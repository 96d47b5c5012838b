import type { Request as ExpressRequest, Response as ExpressResponse } from "express";

/** The head of a request in the Fetch API's terms; enough to read a session. */
export interface WebRequestHead {
  readonly url: string;
  readonly headers: Headers;
}

/**
 * The URL and headers of a request as they came, before any mount took its part of the path. The host of the URL is that of
 * the `Host` header where it is one; the header itself is passed on, for the engine to judge.
 */
export function toWebRequestHead(req: ExpressRequest): WebRequestHead {
  const origin = `${req.protocol === "https" ? "https" : "http"}://${req.headers.host ?? ""}`;
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item);
  }
  return { url: `${URL.canParse(origin) ? new URL(origin).origin : "http://localhost"}${targetOf(req)}`, headers };
}

/**
 * The whole request. A body that nobody has read is streamed; one that a body parser has read is written again from what
 * the parser made of it.
 *
 * @param res where given, the request has its body, and a signal that aborts when the client goes before it has its answer.
 */
export function toWebRequest(req: ExpressRequest, res?: ExpressResponse): Request {
  const { url, headers } = toWebRequestHead(req);
  // A Request cannot carry TRACE (Fetch §2.2.1); OPTIONS as well asks without changing anything.
  const method = req.method === "TRACE" ? "OPTIONS" : req.method;
  if (res === undefined) return new Request(url, { method, headers });
  const client = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) client.abort();
  });
  const body = method === "GET" || method === "HEAD" ? null : bodyOf(req, headers);
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half", signal: client.signal };
  return new Request(url, init);
}

/** Path and query; of a target in absolute form (RFC 9112 §3.2.2) only these, since the host is the `Host` header's. */
function targetOf({ originalUrl }: ExpressRequest): string {
  if (originalUrl.startsWith("/")) return originalUrl;
  const url = URL.canParse(originalUrl) ? new URL(originalUrl) : undefined;
  return url?.pathname.startsWith("/") === true ? `${url.pathname}${url.search}` : "/";
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
