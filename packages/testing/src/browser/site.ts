/**
 * Sites and trustworthy origins, as browsers define them. Pure functions over URLs; never throw.
 */

/**
 * Public suffixes with more than one label that tests are likely to use. A real browser has the whole list (publicsuffix.org,
 * about 10,000 lines); here, any other public suffix is assumed to be a single label.
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

/** Whether a host name is an IPv4 or IPv6 literal, which has no parent domains. */
function isIpAddress(host: string): boolean {
  return host.startsWith("[") || /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
}

/** Whether anyone may register names below this one, so that no cookie may be set for all of them. */
export function isPublicSuffix(host: string): boolean {
  return !isIpAddress(host) && (!host.includes(".") || LONG_PUBLIC_SUFFIXES.has(host));
}

/** The part of a host that one owner controls: `example.com` for `app.example.com`; an IP address itself. */
export function registrableDomain(host: string): string {
  if (isIpAddress(host)) return host;
  const labels = host.split(".");
  const suffixLength = LONG_PUBLIC_SUFFIXES.has(labels.slice(-2).join(".")) ? 2 : 1;
  return labels.slice(-(suffixLength + 1)).join(".");
}

/** Schemeful same-site, as in Chromium: same scheme and same registrable domain; ports are ignored. */
export function isSameSite(a: URL, b: URL): boolean {
  return a.protocol === b.protocol && registrableDomain(a.hostname) === registrableDomain(b.hostname);
}

/** Whether a host is the local machine: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether Chromium stores and sends `Secure` cookies and `Sec-Fetch-*` headers: https, or http to the local machine. */
export function isTrustworthy(url: URL): boolean {
  return url.protocol === "https:" || isLoopback(url.hostname);
}
