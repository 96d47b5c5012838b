import type { CookieAttributes } from "../model/cookie-options.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";

/**
 * The attributes of a cookie that is set: the one place that decides how long it is kept.
 *
 * 1. The smaller of `lifetime` and the configured `maxAge` counts; without a `maxAge`, the configured `expires` if it is earlier.
 * 2. A configured `expires` that has passed does not count: browsers would delete each cookie as they receive it.
 *
 * @param lifetime undefined: until the browser is closed, unless configured.
 */
export function withLifetime(
  { expires, ...options }: CookieAttributes,
  lifetime: Seconds | undefined,
  now: EpochSeconds,
): CookieAttributes {
  const left = expires === undefined ? 0 : Math.floor(expires.getTime() / 1000) - now;
  const { maxAge = left > 0 ? left : lifetime } = options;
  return { ...options, maxAge: lifetime === undefined || maxAge === undefined ? maxAge : Math.min(maxAge, lifetime) };
}

/** The domains that a cookie is cleared in, the widest first: no real host has as many, and a long one is not answered with a flood. */
const MAX_DOMAINS = 8;

/**
 * The other scopes in which a browser may send a cookie of this name to a host, since `domain` was not always configured as it is
 * (RFC 6265bis §5.7): for the host alone; for the host and its subdomains; and for each parent domain of at least two labels. Browsers
 * ignore a public suffix.
 *
 * @param host as `URL.hostname` returns it. An IP address and a host of one label have no domain.
 * @returns the attributes with these scopes; none for a `__Host-` cookie, which has one scope.
 */
export function otherScopes(name: string, options: CookieAttributes, host: string): readonly CookieAttributes[] {
  if (/^__Host-/i.test(name)) return [];
  const now = options.domain?.replace(/^\./, "").toLowerCase() || undefined;
  return [undefined, ...domainsOf(host)].filter((domain) => domain !== now).map((domain) => ({ ...options, domain }));
}

function domainsOf(host: string): readonly string[] {
  if (/^[\d.]+$|:/.test(host)) return [];
  const labels = host.replace(/\.$/, "").split(".");
  return labels
    .map((_, at) => labels.slice(at).join("."))
    .slice(0, -1)
    .slice(-MAX_DOMAINS);
}
