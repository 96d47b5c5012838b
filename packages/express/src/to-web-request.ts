import { bodilessRequest, type IncomingRequest, nodeBody, nodeHeaders, nodeRequest } from "@cardea/core/operations";
import type { Request as ExpressRequest } from "express";
import { readPaths } from "./request-paths.ts";

/** The URL and headers of a request, which are sufficient to read a session. */
export interface WebRequestHead {
  readonly url: string;
  readonly headers: Headers;
}

/**
 * The URL and headers of a request, before any mount removed its part of the path. The host of the URL is that of the
 * `Host` header if that is valid; the header itself is passed on, and core validates it.
 *
 * @param path the path of the URL: the one that the routers match, or the one that was sent. `/` if it was rejected.
 */
export function toWebRequestHead(req: ExpressRequest, path: "routed" | "sent" = "routed"): WebRequestHead {
  const paths = readPaths(req);
  const target = paths === null ? "/" : `${paths[path]}${paths.query}`;
  const headers = nodeHeaders(req.headers, req.rawHeaders);
  return { url: `${originOf(req.protocol, headers.get("host"))}${target}`, headers };
}

/**
 * `URL.canParse` is not usable: on Node 20 and 22, once optimised, it is wrong about bytes that a `Host` header can
 * contain.
 */
function originOf(protocol: string, host: string | null): string {
  try {
    return new URL(`${protocol === "https" ? "https" : "http"}://${host ?? ""}`).origin;
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
  // The guard rejects methods that a `Request` cannot have; endpoints treat them as unknown, like OPTIONS.
  return bodilessRequest({ ...toWebRequestHead(req, "routed"), method: req.method });
}

/**
 * The complete request, as it was sent. An unread body is read from the client; a body that a parser has read is serialised
 * again from the parser's result.
 */
export function toWebRequest(req: ExpressRequest): IncomingRequest {
  const { url, headers } = toWebRequestHead(req, "sent");
  return nodeRequest({ url, method: req.method, headers }, () => nodeBody(req, headers));
}
