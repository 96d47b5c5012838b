import type { AuthConfig } from "../model/config.ts";
import type { Problem } from "../model/sign-in-method.ts";
import { parseUrl } from "../protocol/parse-url.ts";

/**
 * Checks the option `origins` (docs/single-page-applications.md#two-origins-of-one-site). Never throws.
 *
 * 1. `AUTH_URL` is set: only a fixed origin can be compared with.
 * 2. Each entry is exactly what browsers send as `Origin` (RFC 6454 §6.1), without a wildcard.
 * 3. Each is of the same site as `AUTH_URL`, because browsers send no `SameSite=Lax` cookies from another one: the same scheme,
 *    and the same host (loopback hosts included, whatever their port) or the same registrable domain (RFC 6265bis §5.2).
 *
 * @param url `AUTH_URL`; null if it is invalid, which is another problem.
 */
export function findOriginProblems({ origins = [] }: AuthConfig, url: URL | null | undefined): Problem[] {
  if (origins.length === 0 || url === null) return [];
  if (url === undefined) {
    return [{ option: "origins", message: "requires AUTH_URL, the public origin of this server, to be set" }];
  }
  return origins.flatMap((entry, index) => {
    const message = problemOf(entry, url);
    return message === undefined ? [] : [{ option: `origins.${index}`, message }];
  });
}

function problemOf(entry: string, url: URL): string | undefined {
  if (entry.includes("*")) return "must be one exact origin: wildcards are not supported, so list each origin";
  const parsed = parseUrl(entry);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return `must be an origin such as ${url.origin}`;
  if (parsed.origin !== entry) return `must be an origin as browsers write it: ${parsed.origin}`;
  if (parsed.protocol !== url.protocol) {
    return `must have the scheme of AUTH_URL (${url.origin}): for browsers, http and https are different sites`;
  }
  if (isSameSite(parsed.hostname, url.hostname)) return undefined;
  return `is of another site than AUTH_URL (${url.origin}), so browsers would not send the session cookie; use a domain of the same site, or a proxy (docs/single-page-applications.md)`;
}

function isSameSite(one: string, other: string): boolean {
  if (one === other) return true;
  const domainOf = loadDomains() ?? lastLabels;
  const domain = domainOf(one);
  return domain !== null && domain === domainOf(other);
}

type DomainOf = (hostname: string) => string | null;

/**
 * The registrable domain by the public suffix list, whose private section names hosting services; null for an address and for a
 * suffix. Looked up at run time, because a bundle would contain the whole list for every application. Null where packages cannot be
 * looked up, as in a bundle.
 */
function loadDomains(): DomainOf | null {
  try {
    const { createRequire } = Object(Reflect.get(globalThis, "process")).getBuiltinModule("node:module");
    const { getDomain } = createRequire(import.meta.url)("tldts");
    return (hostname) => getDomain(hostname, { allowPrivateDomains: true });
  } catch {
    return null;
  }
}

/**
 * Without the list: what every registrable domain below a suffix of one label is. It lets more pass (`a.co.uk`, `b.co.uk`), and the
 * browser decides: it then sends no cookies, and reports the form as `cross-site`, which is rejected.
 */
function lastLabels(hostname: string): string | null {
  const labels = hostname.split(".");
  return labels.length < 2 || /^[\d.]+$|^\[/.test(hostname) ? null : labels.slice(-2).join(".");
}
