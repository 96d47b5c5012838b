import type { CookieAttributes } from "../model/cookie-options.ts";
import type { Cookie } from "../model/result.ts";
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

/** A cookie that browsers delete, in the scope of these attributes. */
export function cleared(name: string, options: CookieAttributes): Cookie {
  return { name, value: "", options: { ...options, maxAge: 0 } };
}

/** The domains that a cookie is cleared in, the widest first: no real host has as many, and a long one is not answered with a flood. */
const MAX_DOMAINS = 8;

/**
 * The other scopes in which a browser may send a cookie of this name to a host, since `domain` and `partitioned` were not always configured
 * as they are (RFC 6265bis §5.7, CHIPS): for the host alone; for the host and its subdomains; and for each parent domain of at least two
 * labels, where browsers ignore a public suffix. A `__Host-` cookie has no domain. A cookie that is partitioned now may also be without.
 *
 * @param host as `URL.hostname` returns it. An IP address and a host of one label have no domain.
 */
export function otherScopes(name: string, options: CookieAttributes, host: string): readonly CookieAttributes[] {
  const now = options.domain?.replace(/^\./, "").toLowerCase() || undefined;
  const domains = /^__Host-/i.test(name) ? [now] : [undefined, ...domainsOf(host)];
  const { partitioned } = options;
  return domains.flatMap((domain) => {
    const whole = { ...options, domain, partitioned: false };
    const others = domain === now ? [] : [{ ...options, domain }];
    return partitioned === true ? [whole, ...others] : others;
  });
}

function domainsOf(host: string): readonly string[] {
  if (/^[\d.]+$|:/.test(host)) return [];
  const labels = host.replace(/\.$/, "").split(".");
  return labels
    .map((_, at) => labels.slice(at).join("."))
    .slice(0, -1)
    .slice(-MAX_DOMAINS);
}
