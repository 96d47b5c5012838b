/**
 * Destinations as they are kept between two requests, in encrypted cookies and in the store. One secret may be used at
 * several hosts: what was kept at one of them must not lead there from another.
 */

/** A destination at the own origin is kept without it; any other was allowed by `callbacks.redirect` and stays as it is. */
export function storedDestination(url: string, origin: string): string {
  if (url === origin) return "";
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

/** The destination again, at the origin of the request that continues. */
export function openDestination(stored: string, origin: string): string {
  // Joined, not resolved: a path can never become a host.
  return stored === "" || stored.startsWith("/") ? `${origin}${stored}` : stored;
}
