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
