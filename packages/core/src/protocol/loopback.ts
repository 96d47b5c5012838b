import { parseUrl } from "./parse-url.ts";

/**
 * Whether a host name is this very machine: `localhost` and the names below it (RFC 6761 §6.3), 127.0.0.0/8 and `::1`.
 *
 * @param hostname as `URL.hostname` gives it: lower case, IPv4 in dotted form, IPv6 in brackets.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Whether a URL is one whose answers cannot be changed on the way: https, or http to this very machine (RFC 8252 §8.3). */
export function isSecureUrl(url: string): boolean {
  const parsed = parseUrl(url);
  if (parsed === null) return false;
  const { protocol, hostname } = parsed;
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
