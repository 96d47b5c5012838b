import { refusePath } from "@cardea/core/operations";
import type { Request as ExpressRequest } from "express";

/** The path of a request, as the client and as Express see it. */
export interface RequestPaths {
  /** As the client sent it, without its query. */
  readonly sent: string;
  /** As the application's routers match it: the same, unless middleware or an outer server rewrote it. */
  readonly routed: string;
  /** The query as it was sent, with its `?`. */
  readonly query: string;
}

/** An absolute form (RFC 9112 §3.2.2) that all URL parsers split in the same way. */
const ABSOLUTE = /^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)/i;

/**
 * The paths of a request; null if it must be rejected: the target is not a path (RFC 9112 §3.2), a guard and a router could
 * interpret it differently, or Express itself would split it differently at the next mount.
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
 * At one of these characters Express uses Node's legacy URL parser, which reads `//a@b/c` as a host and a path; a mount
 * would then be removed from a path that does not contain it.
 */
const READ_AS_HOST = /^\/\/.*[\t\n\f\r #\u00a0\ufeff]/s;

/** Path and query, by characters only; the host of an absolute form is ignored, because the `Host` header contains it. */
export function splitTarget(target: string): { path: string; query: string } | null {
  if (READ_AS_HOST.test(target)) return null;
  const rest = target.replace(ABSOLUTE, "");
  if (rest === target ? !target.startsWith("/") : !/^(?:[/?#]|$)/.test(rest)) return null;
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/.exec(rest) ?? [];
  return { path: path === "" ? "/" : path, query };
}

/** The path that the routers match: Express parses the target with the rules of Node's legacy URL parser. */
function matchedPath(req: ExpressRequest): string | null {
  try {
    return req.path ?? null;
  } catch {
    return null;
  }
}

/**
 * That parser reads `//a@b/c#` as a host and a path, and escapes braces if there is a `#`; a router would then remove the
 * mount in the wrong place. Trimming at the end has no effect.
 */
function isSame(sent: string, matched: string): boolean {
  return sent === matched || sent.replace(/[\u00a0\ufeff]+$/, "") === matched;
}
