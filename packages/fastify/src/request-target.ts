import type { FastifyRequest } from "fastify";

/** The path of a request as it was sent, as the router matches it, and its query. */
export interface RequestTarget {
  readonly sent: string;
  readonly routed: string;
  readonly query: string;
}

/** An absolute form (RFC 9112 §3.2.2) that all URL parsers split in the same way. */
const ABSOLUTE = /^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)/i;

/** The target of a request; null for one that guard and router could split differently, and that must be rejected. */
export function readTarget({ originalUrl, url, server }: FastifyRequest): RequestTarget | null {
  const options = Object(server.initialConfig);
  const hasSemicolons = options.useSemicolonDelimiter === true || options.routerOptions?.useSemicolonDelimiter === true;
  const sent = splitTarget(originalUrl, hasSemicolons);
  // `rewriteUrl` of the application changes what the router matches.
  const routed = splitTarget(url, hasSemicolons);
  return sent && routed && { sent: sent.path, routed: routed.path, query: sent.query };
}

/** The host of an absolute form is ignored: the `Host` header contains it. */
function splitTarget(target: string, hasSemicolons: boolean): { path: string; query: string } | null {
  const rest = target.replace(ABSOLUTE, "");
  if (rest === target ? !target.startsWith("/") : !/^(?:[/?#]|$)/.test(rest)) return null;
  const [, path = "", query = ""] = (hasSemicolons ? /^([^?#;]*)(\?[^#]*)?/ : /^([^?#]*)(\?[^#]*)?/).exec(rest) ?? [];
  return { path: path === "" ? "/" : path, query };
}
