/** An absolute form (RFC 9112 §3.2.2) that all URL parsers split in the same way. */
const ABSOLUTE = /^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)/i;

/** Path and query of a request target. */
export interface TargetParts {
  /** At least `/`. */
  readonly path: string;
  /** With its delimiter; empty for none. */
  readonly query: string;
}

/**
 * Splits a request target by characters only. The host of an absolute form is ignored: the `Host` header contains it.
 *
 * @param hasSemicolons whether the router lets `;` begin the query as well.
 * @returns null if the target is not a path (RFC 9112 §3.2), or parsers could split it differently.
 */
export function splitTarget(target: string, hasSemicolons = false): TargetParts | null {
  const rest = target.replace(ABSOLUTE, "");
  if (rest === target ? !target.startsWith("/") : !/^(?:[/?#]|$)/.test(rest)) return null;
  const [, path = "", query = ""] = (hasSemicolons ? /^([^?#;]*)(\?[^#]*)?/ : /^([^?#]*)(\?[^#]*)?/).exec(rest) ?? [];
  return { path: path === "" ? "/" : path, query };
}

const PLAIN = /^(?:https?:\/\/[^/?#]+)?\/[^#]*$/;

/**
 * Whether routers and query parsers split a target in the same way: a path, possibly after a host (RFC 9112 §3.2). Some routers search
 * for the first slash after the host, even in the query, and for `http` in lower case; some parsers read a fragment, which a target
 * does not have, as a part of the query.
 */
export function isPlainTarget(target: string): boolean {
  return PLAIN.test(target);
}
