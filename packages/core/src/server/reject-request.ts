import { nodeHost } from "../http/node-request.ts";
import { plainResponse } from "../http/plain-response.ts";
import { parseRequestPath, pathOfUrl } from "../protocol/request-target.ts";

/**
 * The response to a request whose path a guard and a router could interpret differently; null for any other path. For
 * framework adapters: call it before the configuration, a guard or a callback sees the request.
 *
 * @param sent the path without its query, as close to the original as the adapter can see.
 */
export function rejectPath(sent: string): Response | null {
  return parseRequestPath(sent).kind === "refused" ? rejection() : null;
}

/** 400, without repeating the path. */
export function rejection(): Response {
  return plainResponse(400, "The path of this request is ambiguous.");
}

/**
 * The response to a request with several hosts; null for any other. A proxy may have used another one than the application, for
 * its rules or to choose the application (RFC 9112 §3.2). For framework adapters: call it before the configuration, a guard or a
 * callback sees the request.
 *
 * @param host the header `Host`, several joined as in `Headers`; a host contains no comma.
 */
export function rejectHost(host: string | null | undefined): Response | null {
  return host?.includes(",") === true ? plainResponse(400, "The host of this request is ambiguous.") : null;
}

/**
 * {@link rejectPath} and {@link rejectHost} for a `Request`.
 *
 * @param incoming the request of Node.js, if a server keeps one of several hosts and passes this request on.
 */
export function rejectRequest({ url, headers }: Pick<Request, "url" | "headers">, incoming?: unknown): Response | null {
  const { rawHeaders } = Object(incoming);
  return rejectPath(pathOfUrl(url)) ?? rejectHost(nodeHost({ host: headers.get("host") ?? undefined }, rawHeaders));
}

const OTHER_METHODS = {
  allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};

/** 405, for a request whose method a guard cannot decide about (RFC 9110 §9.3.8, §15.5.6). */
export function methodRejection(): Response {
  return new Response(null, { status: 405, headers: OTHER_METHODS });
}
