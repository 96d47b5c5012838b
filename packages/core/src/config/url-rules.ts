import { isSecureUrl } from "../protocol/loopback.ts";
import { hasControlCharacter } from "./find-control-character.ts";

/** Segments that a URL parser would take away or join are no part of it: no request could ever match. */
const BASE_PATH = /^(?=\/)(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/;

/** Whether a path, of the configuration or of `AUTH_URL`, can be that of the actions: it has one spelling. */
export function isBasePath(path: string): boolean {
  return BASE_PATH.test(path);
}

/** Authorization codes pass through the proxy, so that its URL must be secure; URL parsers drop some control characters. */
export function isProxyUrl(url: string): boolean {
  return isSecureUrl(url) && !hasControlCharacter(url);
}
