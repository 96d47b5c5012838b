/** To which applications a redirect proxy may pass an authorization code (contract 7, safety H352, H353). */

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether an origin is one that the proxy's `redirectProxyOrigins` names. Never throws.
 *
 * 1. Loopback hosts always: a code that goes there stays on the person's own machine.
 * 2. An entry without `*` names exactly one origin: scheme, host and port.
 * 3. `https://*.previews.example.com` names every host with exactly one label in place of the `*`, on the same scheme and port.
 *
 * @param origin as `URL.origin` gives it.
 */
export function isProxiedOrigin(origin: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (LOOPBACK.test(url.hostname)) return true;
  return allowed.some((entry) => (entry.includes("*") ? matchesWildcard(url, entry) : entry === url.origin));
}

/** Whether an entry of `redirectProxyOrigins` is of a form that {@link isProxiedOrigin} understands. */
export function isProxyOriginEntry(entry: string): boolean {
  const sample = entry.startsWith("https://*.") ? entry.replace("*", "label") : entry;
  if (sample.includes("*") || !URL.canParse(sample)) return false;
  const { origin, hostname } = new URL(sample);
  // A wildcard right below a top-level domain would name strangers.
  return origin === sample && (sample === entry || hostname.split(".").length > 3);
}

function matchesWildcard(url: URL, entry: string): boolean {
  const [label, ...parents] = url.host.split(".");
  return label !== undefined && label !== "" && entry === `${url.protocol}//*.${parents.join(".")}`;
}
