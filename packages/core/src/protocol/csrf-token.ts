/** Double-submit CSRF protection and what browsers say about where a request comes from (contract 3, safety H005). */

/**
 * Compares two strings in a time that depends on their length alone, so that an attacker cannot guess a token byte by byte
 * (ASVS 11.2.4).
 */
export function isEqualInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let n = 0; n < a.length; n++) difference |= a.charCodeAt(n) ^ b.charCodeAt(n);
  return difference === 0;
}

/** Whether a state-changing request was sent by a page of our own origin, as far as its headers tell. */
export type RequestSource = "same-origin" | "cross-site" | "unknown";

/**
 * Judges the headers that only a browser can set.
 *
 * 1. `Sec-Fetch-Site: cross-site` is cross-site (Fetch Metadata).
 * 2. An `Origin` other than ours is cross-site; `null` is what a browser sends when its referrer policy hides the origin, so it says nothing.
 * 3. `Sec-Fetch-Site: same-site` without our `Origin` is a sibling domain, hence cross-site.
 * 4. Without either header nothing is known and the token alone decides.
 *
 * @param headers of the request.
 * @param publicOrigin the origin that the browser sees.
 */
export function judgeRequestSource(
  headers: { readonly origin: string | null; readonly secFetchSite: string | null },
  publicOrigin: string,
): RequestSource {
  const site = headers.secFetchSite?.toLowerCase() ?? null;
  if (site === "cross-site") return "cross-site";
  const origin = headers.origin === null || headers.origin === "null" ? null : headers.origin;
  if (origin !== null) return origin.toLowerCase() === publicOrigin ? "same-origin" : "cross-site";
  if (site === "same-site") return "cross-site";
  return site === "same-origin" || site === "none" ? "same-origin" : "unknown";
}
