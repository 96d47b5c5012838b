import { parseUrl } from "./parse-url.ts";

/**
 * Where a browser may be redirected after sign-in or sign-out (docs/behaviour.md#redirects). Browsers, proxies and
 * frameworks disagree about backslashes, tabs and double slashes, so any location that contains one is rejected instead of
 * interpreted.
 */

// Control characters, DEL and the backslash, which enable header injection and parser disagreements.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const FORBIDDEN = /[\u0000-\u001f\u007f\\]/;

/**
 * Reads a client-provided location. Never throws.
 *
 * 1. A path starts with exactly one `/`; it is resolved against `origin`.
 * 2. An absolute URL has the origin `origin`, or one of `others`.
 * 3. Neither contains control characters, backslashes, credentials or an empty path segment (`//`) before the query.
 *
 * @param location what the client sent; untrusted.
 * @param origin the public origin of the application.
 * @param others those of the option `origins`.
 * @returns the absolute URL as the URL standard serialises it, without credentials, or null.
 */
export function parseSameOriginUrl(location: string, origin: string, others: readonly string[] = []): string | null {
  const url = parseHttpUrl(location, origin);
  return url !== null && [origin, ...others].includes(url.origin) ? url.href : null;
}

/**
 * Reads a location that the application chose: a path as above, any http(s) URL, or a URL of one of its schemes. Never throws.
 *
 * @param schemes those of the option `redirectSchemes`.
 * @returns the absolute URL, or null.
 */
export function parseApplicationUrl(location: string, origin: string, schemes: readonly string[] = []): string | null {
  const scheme = /^(?!https?:)([a-z][a-z\d+.-]*):/i.exec(location)?.[1]?.toLowerCase() ?? "";
  const url = schemes.includes(scheme) && isClean(location) ? parseUrl(location) : parseHttpUrl(location, origin);
  return url?.href ?? null;
}

/**
 * The only form in which `callbacks.redirect` receives a location: as a browser would read it, so that a test with `startsWith("/")`
 * or `new URL(url).origin` decides about the URL that the browser opens.
 *
 * 1. A path that starts with exactly one `/`, without control characters and backslashes, stays a path. Dot segments are resolved.
 * 2. Anything else becomes an absolute URL: `//host`, `/\host`, a path with a control character, a relative reference.
 *
 * @param location from the client or from `callbacks.signIn`; untrusted.
 * @returns null if it is not a URL.
 */
export function canonicalLocation(location: string, origin: string): string | null {
  const url = parseUrl(location, origin);
  if (url === null) return null;
  const isPath = /^\/(?!\/)/.test(location) && isClean(location) && !url.pathname.startsWith("//");
  return isPath ? url.href.slice(url.origin.length) : url.href;
}

function isClean(location: string): boolean {
  return location !== "" && !FORBIDDEN.test(location) && location === location.trim();
}

function parseHttpUrl(location: string, origin: string): URL | null {
  if (!isClean(location)) return null;
  const isPath = /^\/(?!\/)/.test(location);
  if (!isPath && !/^https?:\/\//i.test(location)) return null;
  const url = isPath ? parseUrl(location, origin) : parseUrl(location);
  if (url === null || url.username !== "" || url.password !== "") return null;
  if (isPath && url.origin !== origin) return null;
  // Also after normalisation: `/..//host` becomes `//host`, which a framework might send as a relative Location.
  return url.pathname.includes("//") ? null : url;
}
