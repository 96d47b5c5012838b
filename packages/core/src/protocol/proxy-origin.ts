import { parseUrl } from "./parse-url.ts";

/**
 * The applications to which a redirect proxy forwards an authorization code. A code is as good as a sign-in, so only the
 * proxy's operator decides (RFC 9700 §4.11).
 */

/**
 * Whether the proxy's `redirectProxyOrigins` contains an origin. Never throws.
 *
 * 1. An entry without `*` matches exactly one origin: scheme, host and port. This includes loopback, because any other
 *    program on the user's machine may listen on a port there.
 * 2. `https://*.previews.example.com` matches every host with exactly one label in place of the `*`, with the same scheme
 *    and port.
 *
 * @param origin as returned by `URL.origin`.
 */
export function isProxiedOrigin(origin: string, allowed: readonly string[]): boolean {
  const url = parseUrl(origin);
  if (url === null) return false;
  return allowed.some((entry) => (entry.includes("*") ? matchesWildcard(url, entry) : entry === url.origin));
}

/** Whether an entry of `redirectProxyOrigins` has a form that {@link isProxiedOrigin} supports. */
export function isProxyOriginEntry(entry: string): boolean {
  const sample = entry.startsWith("https://*.") ? entry.replace("*", "label") : entry;
  const url = sample.includes("*") || !/^https?:/.test(sample) ? null : parseUrl(sample);
  if (url === null) return false;
  const { origin, hostname } = url;
  // A wildcard directly below a top-level domain would match unrelated sites.
  return origin === sample && (sample === entry || hostname.split(".").length > 3);
}

function matchesWildcard(url: URL, entry: string): boolean {
  const [label, ...parents] = url.host.split(".");
  return label !== undefined && label !== "" && entry === `${url.protocol}//*.${parents.join(".")}`;
}
