import { parseUrl } from "./parse-url.ts";

/**
 * Where a browser may be redirected after sign-in or sign-out (docs/behaviour.md#redirects). Browsers, proxies and
 * frameworks disagree about backslashes, tabs and double slashes, so any location that contains one is rejected instead of
 * interpreted.
 */

// Control characters, DEL and the backslash, which enable header injection and parser disagreements.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const FORBIDDEN = /[\u0000-\u001f\u007f\\]/;

/** A validated location: absolute, ASCII, http(s), without credentials. */
export type SafeUrl = string & { readonly __brand?: "SafeUrl" };

/**
 * Reads a client-provided location. Never throws.
 *
 * 1. A path starts with exactly one `/`; it is resolved against `origin`.
 * 2. An absolute URL has the origin `origin`.
 * 3. Neither contains control characters, backslashes, credentials or an empty path segment (`//`) before the query.
 *
 * @param location what the client sent; untrusted.
 * @param origin the public origin of the application.
 * @returns the absolute URL as the URL standard serialises it, or null.
 */
export function parseSameOriginUrl(location: string, origin: string): SafeUrl | null {
  const url = parseHttpUrl(location, origin);
  return url !== null && url.origin === origin ? url.href : null;
}

/**
 * Reads a location that the application chose: a path as above, or any http(s) URL. Never throws.
 *
 * @returns the absolute URL, or null.
 */
export function parseApplicationUrl(location: string, origin: string): SafeUrl | null {
  return parseHttpUrl(location, origin)?.href ?? null;
}

function parseHttpUrl(location: string, origin: string): URL | null {
  if (location === "" || FORBIDDEN.test(location) || location !== location.trim()) return null;
  const isPath = /^\/(?!\/)/.test(location);
  if (!isPath && !/^https?:\/\//i.test(location)) return null;
  const url = isPath ? parseUrl(location, origin) : parseUrl(location);
  if (url === null || url.username !== "" || url.password !== "") return null;
  if (isPath && url.origin !== origin) return null;
  // Also after normalisation: `/..//host` becomes `//host`, which a framework might send as a relative Location.
  return url.pathname.includes("//") ? null : url;
}
