/**
 * The URL, or null if the text is not one. Never throws.
 *
 * `URL.canParse` is not used anywhere in the sources: once it has been optimised, Node 20 and 22 pass it the bytes of a
 * Latin-1 string as UTF-8, so that it rejects `https://müller.example/` and accepts text that `new URL` then rejects.
 *
 * @param base for resolving a relative reference.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * The scheme of a request, in lower case. The handshake of a WebSocket is an HTTP request (RFC 6455 §4.1), for which some proxies give the
 * scheme of the socket; any other request that claims to have it does not come from such a proxy.
 *
 * @param upgrade the header `Upgrade` of the request.
 */
export function requestScheme(scheme: string, upgrade: string | null): string {
  const lower = scheme.toLowerCase();
  const isHandshake = upgrade?.toLowerCase() === "websocket";
  return isHandshake ? lower.replace(/^ws(?=s?$)/, "http") : lower;
}

/**
 * Whether a host name is the local machine: `localhost` and its subdomains (RFC 6761 §6.3), 127.0.0.0/8 and `::1`, also written as
 * an IPv4-mapped address (RFC 4291 §2.5.5.2) or with the dot of the root.
 *
 * @param hostname as `URL.hostname` returns it: lower case, IPv4 in dotted form, IPv6 in brackets.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(
    hostname,
  );
}

/** Whether responses of a URL cannot be changed in transit: https, or http to the local machine (RFC 8252 §8.3). */
export function isSecureUrl(url: string): boolean {
  const parsed = parseUrl(url);
  if (parsed === null) return false;
  const { protocol, hostname } = parsed;
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}

/** C0 and C1 controls, DEL, and the line separators of Unicode. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const CONTROL = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

/** Whether a text contains a control character, such as the trailing line break of a secret that was read from a file. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}
