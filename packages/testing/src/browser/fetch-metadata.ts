/** The headers in which browsers report the origin of a request: `Origin` and `Sec-Fetch-*`. Pure; never throws. */
import { isSameSite, isTrustworthy } from "./site.ts";

/** The origin of a request. */
export interface Initiator {
  /**
   * The origin of the requesting page. `none`: the user typed the address. `null`: a page with an opaque origin (sandboxed
   * frame, `data:` URL).
   */
  readonly origin: URL | "none" | "null";
  /** That page's referrer policy; `no-referrer` and `same-origin` also hide the origin in `Origin`. */
  readonly referrerPolicy: string;
}

/** `Sec-Fetch-Site` for all URLs of a redirect chain (Fetch Metadata §2.3). */
function fetchSite(initiator: Initiator, chain: readonly URL[]): "none" | "same-origin" | "same-site" | "cross-site" {
  const { origin } = initiator;
  if (origin === "none") return "none";
  if (origin === "null" || chain.some((url) => !isSameSite(origin, url))) return "cross-site";
  return chain.every((url) => url.origin === origin.origin) ? "same-origin" : "same-site";
}

/** For `SameSite`, Chromium compares the requesting page with the requested URL, ignoring redirects in between. */
export function isSameSiteRequest(initiator: Initiator, url: URL): boolean {
  if (initiator.origin === "none") return true;
  return initiator.origin !== "null" && isSameSite(initiator.origin, url);
}

/** Whether the page's referrer policy hides its origin, so that `Origin: null` is sent (Fetch §3.2). */
function hidesOrigin(origin: URL, url: URL, policy: string): boolean {
  if (policy === "no-referrer") return true;
  if (policy === "same-origin") return origin.origin !== url.origin;
  const isDowngrade = origin.protocol === "https:" && url.protocol === "http:";
  return isDowngrade && policy !== "unsafe-url" && policy !== "origin" && policy !== "origin-when-cross-origin";
}

/** The `Origin` of a form post. It becomes `null` after a redirect from another origin to a different one. */
export function originOfPost(initiator: Initiator, chain: readonly URL[]): string {
  const { origin } = initiator;
  const url = chain.at(-1);
  if (origin === "none" || origin === "null" || url === undefined) return "null";
  const isTainted = chain
    .slice(0, -1)
    .some((hop, i) => hop.origin !== origin.origin && hop.origin !== chain[i + 1]?.origin);
  return isTainted || hidesOrigin(origin, url, initiator.referrerPolicy) ? "null" : origin.origin;
}

/** `Sec-Fetch-*` of a request; browsers send none to plain http hosts. */
export function fetchMetadata(
  kind: "navigate" | "fetch",
  initiator: Initiator,
  chain: readonly URL[],
): Record<string, string> {
  const url = chain.at(-1);
  if (url === undefined || !isTrustworthy(url)) return {};
  const site = { "sec-fetch-site": fetchSite(initiator, chain) };
  if (kind === "fetch") return { ...site, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
  return { ...site, "sec-fetch-mode": "navigate", "sec-fetch-user": "?1", "sec-fetch-dest": "document" };
}
