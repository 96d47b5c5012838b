import { hasControlCharacter, parseUrl } from "../protocol/parse-url.ts";

const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/**
 * Validates the URL of an image: a `data:` image, a path, or an http(s) URL of the same host, which becomes its path. Null
 * for anything else, including `javascript:` and other hosts: the Content-Security-Policy allows only `img-src 'self'
 * data:`, so that no other site learns who signs in. Never throws.
 */
export function parseImage(value: unknown, host: string): string | null {
  if (typeof value !== "string" || hasControlCharacter(value)) return null;
  if (DATA_IMAGE.test(value) || isPath(value)) return value;
  const url = /^https?:\/\//i.test(value) ? parseUrl(value) : null;
  if (url === null) return null;
  const path = url.pathname + url.search;
  return url.host === host.toLowerCase() && isPath(path) ? path : null;
}

/**
 * A link's target if it is a path or an http(s) URL, else the root: the last protection against `javascript:`. Browsers drop
 * tabs and line ends, so that `/`, a tab and `/` would start a host.
 */
export function safeHref(url: string): string {
  const isSafe = isPath(url) || /^https?:\/\//i.test(url);
  return isSafe && !hasControlCharacter(url) ? url : "/";
}

/** A path of this origin: one slash, because browsers read `//` and `/\` as the start of a host. */
function isPath(value: string): boolean {
  return /^\/(?![/\\])/.test(value);
}
