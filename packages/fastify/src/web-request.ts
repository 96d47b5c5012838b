import { addNodeCookies, type NodeAnswer } from "@cardea/core/operations";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readTarget } from "./request-target.ts";

/** Headers of a request; those of the same name are one. HTTP/2 names the host in `:authority` (RFC 9113 §8.3.1). */
export function toHeaders({ headers: given }: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const item of name.startsWith(":") ? [] : [value ?? []].flat()) headers.append(name, item);
  }
  const { ":authority": authority } = given;
  if (typeof authority === "string") headers.set("host", authority);
  return headers;
}

/** The origin as the server sees it. The `Host` header is passed on and validated by core. */
export const originOf = ({ protocol }: FastifyRequest): string =>
  protocol === "https" ? "https://localhost" : "http://localhost";

/** The request without its body, for configuration functions. */
export function toToldRequest(request: FastifyRequest): Request {
  const path = request.originalUrl.startsWith("/") ? request.originalUrl : "/";
  return new Request(`${originOf(request)}${path}`, { headers: toHeaders(request) });
}

/** The complete request, its body unread. Its signal aborts when the client disconnects before the response. */
export function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const { method, raw } = request;
  const client = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) client.abort();
  });
  const hasBody = method !== "GET" && method !== "HEAD";
  const target = readTarget(request);
  const path = target === null ? "/" : `${target.sent}${target.query}`;
  const init: RequestInit & { duplex: "half" } = {
    method,
    headers: toHeaders(request),
    body: hasBody ? toStream(raw) : null,
    duplex: "half",
    signal: client.signal,
  };
  return new Request(`${originOf(request)}${path}`, init);
}

/** Reads no further than requested. When the reader stops, the rest is discarded, so that the response can be sent. */
function toStream(raw: FastifyRequest["raw"]): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = raw.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await chunks.return?.();
        raw.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A reply as core adds cookies to it: Fastify appends cookies where Node replaces them. */
export const toNodeAnswer = (reply: FastifyReply): NodeAnswer => ({
  getHeader: (name) => reply.getHeader(name),
  getHeaderNames: () => Object.keys(reply.getHeaders()),
  setHeader: (name, value) => reply.removeHeader(name).header(name, value),
  removeHeader: (name) => void reply.removeHeader(name),
});

/** Sends a Fetch API response; its cookies replace those of the same name that were set before. */
export function sendResponse(reply: FastifyReply, response: Response): FastifyReply {
  addNodeCookies(toNodeAnswer(reply), response.headers.getSetCookie());
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  return reply.send(new Response(response.body, { status: response.status, headers }));
}
