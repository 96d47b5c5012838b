import { refusePath } from "@cardea/core/operations";
import type { Request as ExpressRequest } from "express";

/** The path of a request, as the client and as Express have it. */
export interface RequestPaths {
  /** As the client sent it, without its query. */
  readonly sent: string;
  /** As the routers of the application match it: the same, unless middleware or an outer server rewrote it. */
  readonly routed: string;
  /** The query as it was sent, with its `?`. */
  readonly query: string;
}

/** An absolute form (RFC 9112 §3.2.2) that every parser of URLs takes apart alike. */
const ABSOLUTE = /^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)/i;

/**
 * The paths of a request; null where it has to be refused: the target is not a path (RFC 9112 §3.2), could mean one thing to
 * a guard and another to a router, or is one that Express itself takes apart otherwise at the next mount.
 */
export function readPaths(req: ExpressRequest): RequestPaths | null {
  const original = splitTarget(req.originalUrl);
  const current = splitTarget(req.url);
  const matched = matchedPath(req);
  if (original === null || current === null || matched === null || !isSame(current.path, matched)) return null;
  const paths = { sent: original.path, routed: `${req.baseUrl}${matched}`, query: original.query };
  return refusePath(paths.sent) === null && refusePath(paths.routed) === null ? paths : null;
}

/**
 * At one of these characters Express leaves parsing to Node's first URL parser, which reads `//a@b/c` as a host and a path;
 * a mount is then cut off a path that the mount is not in.
 */
const READ_AS_HOST = /^\/\/.*[\t\n\f\r #\u00a0\ufeff]/s;

/** Path and query, by the characters alone; the host of an absolute form is not looked at, the `Host` header names it. */
export function splitTarget(target: string): { path: string; query: string } | null {
  if (READ_AS_HOST.test(target)) return null;
  const rest = target.replace(ABSOLUTE, "");
  if (rest === target ? !target.startsWith("/") : !/^(?:[/?#]|$)/.test(rest)) return null;
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/.exec(rest) ?? [];
  return { path: path === "" ? "/" : path, query };
}

/** What the routers match: Express parses the target with rules of Node's first URL parser. */
function matchedPath(req: ExpressRequest): string | null {
  try {
    return req.path ?? null;
  } catch {
    return null;
  }
}

/**
 * That parser takes `//a@b/c#` for a host and a path, and escapes braces where there is a `#`; a router would then cut the
 * mount off in the wrong place. What it trims at the end moves nothing.
 */
function isSame(sent: string, matched: string): boolean {
  return sent === matched || sent.replace(/[\u00a0\ufeff]+$/, "") === matched;
}
