import { parseUrl } from "./parse-url.ts";

/**
 * The applications to which a redirect proxy passes an authorization code. A code is as good as a sign-in, so that only the
 * proxy's operator decides (RFC 9700 §4.11).
 */

/**
 * Whether an origin is one that the proxy's `redirectProxyOrigins` names. Never throws.
 *
 * 1. An entry without `*` names exactly one origin: scheme, host and port. That holds for loopback, too: any other program on
 *    the user's machine may listen on a port there.
 * 2. `https://*.previews.example.com` names every host with exactly one label in place of the `*`, on the same scheme and port.
 *
 * @param origin as `URL.origin` gives it.
 */
export function isProxiedOrigin(origin: string, allowed: readonly string[]): boolean {
  const url = parseUrl(origin);
  if (url === null) return false;
  return allowed.some((entry) => (entry.includes("*") ? matchesWildcard(url, entry) : entry === url.origin));
}

/** Whether an entry of `redirectProxyOrigins` is of a form that {@link isProxiedOrigin} understands. */
export function isProxyOriginEntry(entry: string): boolean {
  const sample = entry.startsWith("https://*.") ? entry.replace("*", "label") : entry;
  const url = sample.includes("*") || !/^https?:/.test(sample) ? null : parseUrl(sample);
  if (url === null) return false;
  const { origin, hostname } = url;
  // A wildcard right below a top-level domain would name strangers.
  return origin === sample && (sample === entry || hostname.split(".").length > 3);
}

function matchesWildcard(url: URL, entry: string): boolean {
  const [label, ...parents] = url.host.split(".");
  return label !== undefined && label !== "" && entry === `${url.protocol}//*.${parents.join(".")}`;
}
