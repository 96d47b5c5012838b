/**
 * What a browser calls a site, an origin, a secure place. Pure functions over URLs.
 * Never throws for a URL that parses.
 */

/**
 * Public suffixes of more than one label that tests are likely to meet. A real browser carries the whole list
 * (publicsuffix.org, about 10,000 lines); here every other top-level domain counts as one label.
 */
const LONG_PUBLIC_SUFFIXES: ReadonlySet<string> = new Set([
  "co.uk",
  "org.uk",
  "com.au",
  "co.jp",
  "co.nz",
  "com.br",
  "github.io",
  "gitlab.io",
  "netlify.app",
  "pages.dev",
  "vercel.app",
  "web.app",
  "workers.dev",
]);

/** Tells whether a host name is an IPv4 or IPv6 literal, which has no parent domains. */
function isIpAddress(host: string): boolean {
  return host.startsWith("[") || /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
}

/** Tells whether anyone may register names below this one, so that no cookie may be set for all of them. */
export function isPublicSuffix(host: string): boolean {
  return !isIpAddress(host) && (!host.includes(".") || LONG_PUBLIC_SUFFIXES.has(host));
}

/** The part of a host that one owner controls: `example.com` for `app.example.com`, the host itself for an address. */
export function registrableDomain(host: string): string {
  if (isIpAddress(host)) return host;
  const labels = host.split(".");
  const suffixLength = LONG_PUBLIC_SUFFIXES.has(labels.slice(-2).join(".")) ? 2 : 1;
  return labels.slice(-(suffixLength + 1)).join(".");
}

/** Schemeful same-site, as Chromium judges it: same scheme and same registrable domain; ports do not count. */
export function isSameSite(a: URL, b: URL): boolean {
  return a.protocol === b.protocol && registrableDomain(a.hostname) === registrableDomain(b.hostname);
}

/** Tells whether a host is the machine itself: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** https, or http to the machine itself: where Chromium keeps and sends `Secure` cookies and `Sec-Fetch-*` headers. */
export function isTrustworthy(url: URL): boolean {
  return url.protocol === "https:" || isLoopback(url.hostname);
}
