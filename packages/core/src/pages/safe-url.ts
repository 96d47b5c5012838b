import { parseUrl } from "../protocol/parse-url.ts";

const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/**
 * Checks the address of an image: a `data:` image, a path, or an http(s) URL of the same host, which becomes its path.
 * Null for anything else, `javascript:` and other hosts included: the Content-Security-Policy allows
 * `img-src 'self' data:` alone, so that no other site learns who signs in. Never throws.
 */
export function parseImage(value: unknown, host: string): string | null {
  if (typeof value !== "string" || hasControlCharacter(value)) return null;
  if (DATA_IMAGE.test(value) || isPath(value)) return value;
  const url = /^https?:\/\//i.test(value) ? parseUrl(value) : null;
  if (url === null) return null;
  const path = url.pathname + url.search;
  return url.host === host.toLowerCase() && isPath(path) ? path : null;
}

/** Shows a link's target as it is when it is a path or an http(s) URL, else the root: the last guard against `javascript:`. */
export function safeHref(url: string): string {
  return isPath(url) || /^https?:\/\//i.test(url) ? url : "/";
}

/** A path of this origin: one slash, since browsers read `//` and `/\` as the beginning of a host. */
function isPath(value: string): boolean {
  return /^\/(?![/\\])/.test(value);
}

function hasControlCharacter(value: string): boolean {
  for (const character of value) if (character < " " || character === "\u007f") return true;
  return false;
}
