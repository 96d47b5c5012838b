import { isSecureUrl } from "../protocol/parse-url.ts";
import { hasControlCharacter } from "./find-control-character.ts";

/** No segments that a URL parser would remove or join, because no request could match them. */
const BASE_PATH = /^(?=\/)(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/;

/** Whether a path, from the configuration or from `AUTH_URL`, can be the base path: it has exactly one spelling. */
export function isBasePath(path: string): boolean {
  return BASE_PATH.test(path);
}

/** Authorization codes pass through the proxy, so its URL must be secure; URL parsers drop some control characters. */
export function isProxyUrl(url: string): boolean {
  return isSecureUrl(url) && !hasControlCharacter(url);
}
