import {
  bodilessRequest,
  type IncomingBody,
  type IncomingRequest,
  nodeBody,
  nodeHeaders,
  nodeRequest,
} from "@cardea/core/operations";
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
  return nodeRequest({ url, method: req.method, headers }, () => bodyOf(req, headers));
}

/** The body as received, or re-serialised as the client may have sent it, with matching headers. */
function bodyOf(req: ExpressRequest, headers: Headers): IncomingBody | null {
  return req.readableDidRead ? new Response(bodyAgain(req, headers)).body : nodeBody(req);
}

function bodyAgain(req: ExpressRequest, headers: Headers): BodyInit | null {
  const body: unknown = req.body;
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  if (body === undefined || body === null) return null;
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  const isDeep = !isWithin(MAX_DEPTH, body);
  if (isDeep) headers.set("content-type", "application/json");
  // Parsers accept what is nested too deeply to be serialised again; core rejects this text for the same reason.
  if (isDeep) return "[".repeat(MAX_DEPTH + 1);
  if (/^application\/(?:[^;\s]+\+)?json\b/i.test(headers.get("content-type") ?? "")) return JSON.stringify(body);
  headers.set("content-type", "application/x-www-form-urlencoded");
  return new URLSearchParams(Object.entries(body).flatMap(([name, value]) => formFields(name, value)));
}

/** Nesting that core accepts in a body. */
const MAX_DEPTH = 64;

/** Whether a value is nested at most this deeply. */
function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isWithin(depth - 1, member));
}

/** `a=1&a=2` and `a[b]=1`, as form parsers read them. */
function formFields(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => formFields(name, item));
  if (typeof value !== "object" || value === null) return [[name, String(value ?? "")]];
  return Object.entries(value).flatMap(([key, item]) => formFields(`${name}[${key}]`, item));
}
