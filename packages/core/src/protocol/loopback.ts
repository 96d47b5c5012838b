import { parseUrl } from "./parse-url.ts";

/**
 * Whether a host name is the local machine: `localhost` and its subdomains (RFC 6761 §6.3), 127.0.0.0/8 and `::1`.
 *
 * @param hostname as `URL.hostname` returns it: lower case, IPv4 in dotted form, IPv6 in brackets.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Whether responses of a URL cannot be changed in transit: https, or http to the local machine (RFC 8252 §8.3). */
export function isSecureUrl(url: string): boolean {
  const parsed = parseUrl(url);
  if (parsed === null) return false;
  const { protocol, hostname } = parsed;
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
