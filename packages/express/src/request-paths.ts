import { rejectPath, splitTarget as splitByCharacters, type TargetParts } from "@cardea/core/operations";
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

/**
 * The paths of a request; null if it must be rejected: the target is not a path (RFC 9112 §3.2), a guard and a router could
 * interpret it differently, or Express itself would split it differently at the next mount.
 */
export function readPaths(req: ExpressRequest): RequestPaths | null {
  // The request of an upgrade has passed no router.
  const original = splitTarget(req.originalUrl ?? req.url);
  const current = splitTarget(req.url);
  const matched = matchedPath(req);
  if (original === null || current === null || matched === null || !isSame(current.path, matched)) return null;
  const paths = { sent: original.path, routed: `${req.baseUrl}${matched}`, query: original.query };
  return rejectPath(paths.sent) === null && rejectPath(paths.routed) === null ? paths : null;
}

/**
 * Makes later routers and file servers match the path that was decided about; `req.originalUrl` stays. Routers do not decode the path
 * before they match it, and file servers do.
 *
 * @param path with the mount path.
 */
export function routePath(req: ExpressRequest, path: string): void {
  if (!`${path}/`.startsWith(`${req.baseUrl}/`)) return;
  const { path: current = "", query = "" } = splitTarget(req.url) ?? {};
  const slash = current.endsWith("/") && !path.endsWith("/") ? "/" : "";
  // Routers remember the origin of a target in absolute form, and skip as many characters at each mount (RFC 9112 §3.2.2).
  const [origin = ""] = /^https?:\/\/[^/?#]*/i.exec(req.url) ?? [];
  req.url = `${origin}${path.slice(req.baseUrl.length)}${slash}${query}`;
}

/**
 * At one of these characters Express uses Node's legacy URL parser, which reads `//a@b/c` as a host and a path; a mount
 * would then be removed from a path that does not contain it.
 */
const READ_AS_HOST = /^\/\/.*[\t\n\f\r #\u00a0\ufeff]/s;

/** Path and query of a target; null for one that must be rejected. */
export function splitTarget(target: string): TargetParts | null {
  return READ_AS_HOST.test(target) ? null : splitByCharacters(target);
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
