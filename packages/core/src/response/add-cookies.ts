import type { Cookie } from "../model/result.ts";
import { serializeCookie } from "./serialize-cookie.ts";

/** The methods of Node's server responses that setting cookies needs. */
export interface NodeAnswer {
  /** As in Node.js. */
  getHeader(name: string): number | string | readonly string[] | undefined;
  /** As in Node.js. */
  getHeaderNames(): readonly string[];
  /** As in Node.js. */
  setHeader(name: string, value: string | readonly string[]): unknown;
  /** As in Node.js. */
  removeHeader(name: string): void;
}

/** Browsers may store the page; caches between the server and the browser must not (CVE-2025-48947). */
const CACHE_CONTROL = "private, no-cache, no-store";

/**
 * Headers that CDN caches prefer to `Cache-Control`: `CDN-Cache-Control` and its variants (RFC 9213 §3),
 * `Surrogate-Control`.
 */
const FOR_CDNS = /(?:^|-)(?:cdn-cache|surrogate)-control$/i;

/**
 * Adds cookies to response headers, replacing those of the same name, and prevents shared caching. A string is a complete
 * `Set-Cookie` value.
 */
export function addCookies(headers: Headers, cookies: readonly (Cookie | string)[]): void {
  if (cookies.length > 0) setLines(headers, headers.getSetCookie(), cookies.map(toLine));
}

/**
 * Adds pending cookies to a response. Cookies that the response itself sets take precedence, so a renewal cannot undo a
 * handler's sign-out. The response to a WebSocket handshake cannot be copied, so it is returned without the cookies.
 */
export function withCookies(response: Response, cookies: readonly Cookie[]): Response {
  if (cookies.length === 0 || response.status === SWITCHING_PROTOCOLS) return response;
  const copy = new Response(response.body, response);
  setLines(copy.headers, cookies.map(serializeCookie), response.headers.getSetCookie());
  return copy;
}

const SWITCHING_PROTOCOLS = 101;

/** Keeps a user-specific response out of shared caches. */
export function keepPrivate(headers: Headers): void {
  headers.set("cache-control", CACHE_CONTROL);
  for (const name of [...headers.keys()].filter((name) => FOR_CDNS.test(name))) headers.delete(name);
}

/** As {@link addCookies}, for a Node.js response. */
export function addNodeCookies(answer: NodeAnswer, cookies: readonly (Cookie | string)[]): void {
  if (cookies.length === 0) return;
  const lines = cookies.map(toLine);
  const before = [answer.getHeader("set-cookie") ?? []].flat().map(String);
  answer.setHeader("set-cookie", mergeLines(before, lines));
  answer.setHeader("cache-control", CACHE_CONTROL);
  for (const name of answer.getHeaderNames().filter((name) => FOR_CDNS.test(name))) answer.removeHeader(name);
}

const toLine = (cookie: Cookie | string): string => (typeof cookie === "string" ? cookie : serializeCookie(cookie));

function setLines(headers: Headers, before: readonly string[], lines: readonly string[]): void {
  headers.delete("set-cookie");
  for (const line of mergeLines(before, lines)) headers.append("set-cookie", line);
  keepPrivate(headers);
}

/** Keeps the later of two cookies with the same name. `name` and `name.0` count as the same, because they hold one value. */
function mergeLines(before: readonly string[], lines: readonly string[]): string[] {
  const replaced = new Set(lines.map(stemOf));
  return [...before.filter((line) => !replaced.has(stemOf(line))), ...lines];
}

function stemOf(line: string): string {
  return line.slice(0, line.indexOf("=")).replace(/\.\d{1,2}$/, "");
}

/** A response and the cookies that were removed from it. */
export interface TakenCookies {
  /** The response without cookies; it shares the body of the given one. */
  readonly response: Response;
  /** The cookies, as values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

/** Separates the cookies from a response, for frameworks with their own cookie API. */
export function takeCookies({ status, body, headers: given }: Response): TakenCookies {
  const headers = new Headers(given);
  headers.delete("set-cookie");
  return { response: new Response(body, { status, headers }), cookies: given.getSetCookie() };
}
