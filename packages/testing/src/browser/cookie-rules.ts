/**
 * How a browser processes a `Set-Cookie` line (RFC 6265bis §5.6 and §5.7, with the limits and loopback exceptions of Chromium):
 * the stored cookie, or the reason for ignoring the line.
 */
import { parseSetCookie, type SetCookie } from "cookie";
import { isPublicSuffix, isTrustworthy } from "./site.ts";

/** Maximum size of name and value together, in bytes; a larger cookie is ignored (RFC 6265bis §5.6 step 5). */
const MAX_PAIR_BYTES = 4096;
/** Maximum size of an attribute value, in bytes; a larger attribute is ignored, but not its cookie (RFC 6265bis §5.6.1). */
const MAX_ATTRIBUTE_BYTES = 1024;
/** Maximum lifetime in seconds: browsers limit cookies to 400 days (RFC 6265bis §5.5). */
export const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/** A stored cookie. */
export interface StoredCookie {
  /** As sent over the wire, prefix included. */
  readonly name: string;
  /** As sent over the wire: not decoded. */
  readonly value: string;
  /** Lower-case, without leading dot. */
  readonly domain: string;
  /** Whether the cookie is sent to exactly that host, because it had no `Domain` attribute. */
  readonly hostOnly: boolean;
  /** Sent to this path and those below it (RFC 6265 §5.1.4). */
  readonly path: string;
  /** Sent over https only. */
  readonly secure: boolean;
  /** Hidden from scripts of the page. */
  readonly httpOnly: boolean;
  /** `lax` if the server did not set it. */
  readonly sameSite: "strict" | "lax" | "none";
  /** Milliseconds since 1970; absent: until the browser closes. */
  readonly expires?: number;
}

/** Result of processing a `Set-Cookie` line. `reason` is an explanation for the reader of a failing test. */
export type CookieVerdict =
  | { readonly ok: true; readonly cookie: StoredCookie }
  | { readonly ok: false; readonly name: string; readonly reason: string };

/** The default `Path` of a cookie: the directory of the request (RFC 6265bis §5.1.4). */
function defaultPath(url: URL): string {
  const end = url.pathname.lastIndexOf("/");
  return end <= 0 ? "/" : url.pathname.slice(0, end);
}

/** Whether a request to `host` includes cookies of `domain` (RFC 6265bis §5.1.3). */
export function domainMatches(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Whether a request to `requestPath` includes cookies of `cookiePath` (RFC 6265bis §5.1.4). */
export function pathMatches(requestPath: string, cookiePath: string): boolean {
  if (requestPath === cookiePath) return true;
  if (!requestPath.startsWith(cookiePath)) return false;
  return cookiePath.endsWith("/") || requestPath[cookiePath.length] === "/";
}

/** The value of an attribute, or `undefined` if it is absent, empty or too long. */
function readAttribute(value: string | undefined): string | undefined {
  return value === undefined || value === "" || value.length > MAX_ATTRIBUTE_BYTES ? undefined : value;
}

/** The domain of a cookie, or `undefined` if the host may not set cookies for it (RFC 6265bis §5.7 steps 8 to 11). */
function resolveDomain(host: string, attribute: string | undefined): { domain: string; hostOnly: boolean } | undefined {
  const domain = readAttribute(attribute)?.replace(/^\./, "").toLowerCase();
  if (domain === undefined || domain === "") return { domain: host, hostOnly: true };
  if (isPublicSuffix(domain)) return domain === host ? { domain: host, hostOnly: true } : undefined;
  return domainMatches(host, domain) ? { domain, hostOnly: false } : undefined;
}

/** When the cookie expires, in milliseconds. `Max-Age` overrides `Expires`; 0 or less expires immediately. */
function resolveExpiry(attributes: SetCookie, now: number): number | undefined {
  if (attributes.maxAge !== undefined) {
    return attributes.maxAge <= 0 ? 0 : now + Math.min(attributes.maxAge, MAX_AGE_SECONDS) * 1000;
  }
  if (attributes.expires === undefined) return undefined;
  return Math.min(attributes.expires.getTime(), now + MAX_AGE_SECONDS * 1000);
}

/** Why a prefix forbids this cookie, or `undefined`. Prefixes are case-insensitive (RFC 6265bis §5.7 step 20). */
function refusedPrefix(cookie: StoredCookie, url: URL, hasPath: boolean): string | undefined {
  const name = (cookie.name === "" ? cookie.value : cookie.name).toLowerCase();
  const isSecure = cookie.secure && isTrustworthy(url);
  if (name.startsWith("__secure-") && !isSecure) return "__Secure- needs Secure and a secure origin";
  if (!name.startsWith("__host-")) return undefined;
  if (!isSecure) return "__Host- needs Secure and a secure origin";
  if (!cookie.hostOnly) return "__Host- allows no Domain";
  return hasPath && cookie.path === "/" ? undefined : "__Host- needs Path=/";
}

/**
 * Evaluates a `Set-Cookie` line like a browser.
 *
 * 1. Control characters, an empty pair or a pair over 4096 bytes: ignored (RFC 6265bis §5.6).
 * 2. A `Domain` that the host does not belong to, or a public suffix: ignored (§5.7 steps 8 to 11).
 * 3. `Secure` from plain http: ignored, except for loopback hosts, as in Chromium (§5.7 step 14).
 * 4. `SameSite=None` without `Secure`: ignored (§5.7 step 18).
 * 5. `__Secure-` and `__Host-` without the required attributes: ignored (§5.7 steps 20 to 22).
 *
 * @param line the header's value. @param url the URL of the response. @param now milliseconds since 1970.
 * Never throws.
 */
export function checkSetCookie(line: string, url: URL, now: number): CookieVerdict {
  const parsed = parseSetCookie(line, { decode: (value) => value });
  const value = parsed.value ?? "";
  const refuse = (reason: string): CookieVerdict => ({ ok: false, name: parsed.name, reason });

  // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line)) return refuse("control character");
  if (parsed.name === "" && value === "") return refuse("neither name nor value");
  if (parsed.name.length + value.length > MAX_PAIR_BYTES) return refuse(`name and value over ${MAX_PAIR_BYTES} bytes`);

  const place = resolveDomain(url.hostname, parsed.domain);
  if (place === undefined) return refuse(`${url.hostname} may not set cookies for ${parsed.domain}`);

  const secure = parsed.secure === true;
  if (secure && !isTrustworthy(url)) return refuse("Secure from an insecure origin");
  const sameSite = parsed.sameSite === "none" || parsed.sameSite === "strict" ? parsed.sameSite : "lax";
  if (sameSite === "none" && !secure) return refuse("SameSite=None without Secure");

  const path = readAttribute(parsed.path);
  const hasPath = path?.startsWith("/") === true;
  const expires = resolveExpiry(parsed, now);
  const cookie: StoredCookie = {
    name: parsed.name,
    value,
    ...place,
    path: hasPath && path !== undefined ? path : defaultPath(url),
    secure,
    httpOnly: parsed.httpOnly === true,
    sameSite,
    ...(expires === undefined ? {} : { expires }),
  };
  const broken = refusedPrefix(cookie, url, hasPath);
  return broken === undefined ? { ok: true, cookie } : refuse(broken);
}
