/** Double-submit CSRF protection, and evaluation of the headers in which browsers report the origin of a request. */

/**
 * Compares two strings in a time that depends only on their length, so that an attacker cannot guess a token byte by byte
 * (ASVS 11.2.4).
 */
export function isEqualInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let n = 0; n < a.length; n++) difference |= a.charCodeAt(n) ^ b.charCodeAt(n);
  return difference === 0;
}

/** Whether a state-changing request was sent by a page of our own origins, as far as its headers tell. */
type RequestSource = "same-origin" | "cross-site" | "unknown";

/**
 * Evaluates the headers that only a browser can set (Fetch Metadata; RFC 6454 §7).
 *
 * 1. `Sec-Fetch-Site: same-origin` is same-origin, regardless of `Origin`: with `Referrer-Policy: no-referrer`, browsers send
 *    `Origin: null` even for same-origin forms.
 * 2. `Sec-Fetch-Site: cross-site` is cross-site.
 * 3. An `Origin` equal to one of ours is same-origin; any other is cross-site, including the opaque `null` of a sandboxed frame.
 * 4. On plain http browsers send no `Sec-Fetch-Site`, so `null` is inconclusive there and the token alone decides.
 * 5. `Sec-Fetch-Site: same-site` without our `Origin` is a sibling domain, hence cross-site.
 * 6. Without either header the origin is unknown and the token alone decides.
 *
 * @param headers of the request.
 * @param publicOrigin the origin that the browser sees.
 * @param others further origins of the application, whose pages may send the request.
 */
export function checkRequestSource(
  headers: Pick<Headers, "get">,
  publicOrigin: string,
  others: readonly string[] = [],
): RequestSource {
  const site = headers.get("sec-fetch-site")?.toLowerCase() ?? null;
  if (site === "same-origin") return "same-origin";
  if (site === "cross-site") return "cross-site";
  const origin = headers.get("origin")?.toLowerCase() ?? null;
  if (origin === "null" && site === null && publicOrigin.startsWith("http:")) return "unknown";
  if (origin !== null) return origin === publicOrigin || others.includes(origin) ? "same-origin" : "cross-site";
  if (site === "same-site") return "cross-site";
  return site === "none" ? "same-origin" : "unknown";
}
