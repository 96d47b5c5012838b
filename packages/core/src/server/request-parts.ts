import { type NodeHeaders, nodeHeaders } from "../http/node-request.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import type { OperationRequest } from "./read-session.ts";

/** The members of a Node.js or Express request that are read. */
export interface NodeRequest {
  /** The HTTP method, upper-case; absent on a message that is not a request. */
  readonly method?: string | undefined;
  /** `http` or `https`, as Express sets it; absent with Node.js itself, which counts as `http`. */
  readonly protocol?: string | undefined;
  /** Path and query as the browser sent them, if a router removed a part of `url`. */
  readonly originalUrl?: string | undefined;
  /** Path and query; default `/`. */
  readonly url?: string | undefined;
  /** The request headers; names are lower-case. A repeated header may be a list. In HTTP/2 the host is in `:authority`. */
  readonly headers: NodeHeaders;
  /** Names and values of all header lines, alternating. */
  readonly rawHeaders?: readonly string[] | undefined;
}

/** The parts of a request that operations read. A `Request` is returned as it is; Node.js and Express requests are converted. */
export function partsOf(request: OperationRequest | NodeRequest): OperationRequest {
  if (isFetchRequest(request)) return request;
  const { protocol = "http", originalUrl, url = "/", headers, rawHeaders } = request;
  const list = nodeHeaders(headers, rawHeaders);
  const target = originalUrl ?? url;
  // The target may be a whole URL (a proxy request) or `*` (OPTIONS); neither is a path of the application.
  const path = target.startsWith("/") ? target : "/";
  return { url: `${originOf(protocol, list.get("host"))}${path}`, headers: list };
}

/** The host header itself is passed on; it is validated where a decision depends on it. */
function originOf(protocol: string, host: string | null): string {
  return parseUrl(`${protocol === "https" ? "https" : "http"}://${host ?? ""}`)?.origin ?? "http://localhost";
}

/** Recognised by its members, not by its class: a framework may use its own class. */
function isFetchRequest(request: OperationRequest | NodeRequest): request is OperationRequest {
  return typeof request.headers.get === "function";
}
