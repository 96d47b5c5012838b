import { stringifySetCookie } from "cookie";
import type { AuthResult, Cookie, Page } from "../model/result.ts";
import type { PartialTexts } from "../model/texts.ts";
import type { Theme } from "../model/theme.ts";
import { renderPage } from "../pages/render-page.ts";
import { completeTexts } from "../pages/texts.ts";

/** What a response needs to know beside the result. */
export interface ResponseFrame {
  readonly cookies: readonly Cookie[];
  readonly theme: Theme;
  readonly texts: PartialTexts;
  /** The public origin; empty when it is unknown. */
  readonly origin: string;
  /** The client asked for `{ url }` instead of a redirect (`X-Auth-Return-Redirect`). */
  readonly returnRedirect: boolean;
  /** Random text for the page's one style element. */
  readonly nonce: string;
}

/** Nothing here may be kept by a cache: it depends on cookies (contract 3, ASVS 14.3.2). */
const NO_STORE = { "cache-control": "private, no-cache, no-store", expires: "0", pragma: "no-cache" };

/** Turns the result of an action into a `Response`; the only writer of `Set-Cookie`. */
export function toResponse(result: AuthResult, frame: ResponseFrame): Response {
  const headers = new Headers(NO_STORE);
  for (const cookie of frame.cookies) headers.append("set-cookie", serializeCookie(cookie));
  switch (result.kind) {
    case "redirect":
      if (frame.returnRedirect) return json({ url: result.url }, 200, headers);
      headers.set("location", result.url);
      return new Response(null, { status: 302, headers });
    case "json":
      for (const [name, value] of Object.entries(result.headers ?? {})) headers.set(name, value);
      return json(result.body, result.status, headers);
    case "page":
      return page(result.page, result.status, headers, frame);
    case "empty":
      for (const [name, value] of Object.entries(result.headers ?? {})) headers.set(name, value);
      return new Response(null, { status: result.status, headers });
  }
}

/** One `Set-Cookie` value (RFC 6265 §4.1.1). Values are ASCII already: sealed, or percent-encoded by who set them. */
export function serializeCookie(cookie: Cookie): string {
  const { name, value, options } = cookie;
  const given = Object.entries(options).filter(([, attribute]) => attribute !== undefined);
  return stringifySetCookie({ name, value, ...Object.fromEntries(given) }, { encode: (text) => text });
}

function json(body: unknown, status: number, headers: Headers): Response {
  headers.set("content-type", "application/json");
  headers.set("x-content-type-options", "nosniff");
  return new Response(JSON.stringify(body ?? null), { status, headers });
}

function page(content: Page, status: number, headers: Headers, frame: ResponseFrame): Response {
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-security-policy", contentSecurityPolicy(frame));
  headers.set("x-content-type-options", "nosniff");
  headers.set("x-frame-options", "DENY");
  headers.set("cross-origin-opener-policy", "same-origin");
  // With `no-referrer` browsers send `Origin: null` with a form, and our own forms could not be told from foreign ones.
  headers.set("referrer-policy", content.kind === "error" ? "no-referrer" : "same-origin");
  const host = frame.origin === "" ? "" : new URL(frame.origin).host;
  return new Response(
    renderPage(content, { theme: frame.theme, host, nonce: frame.nonce }, completeTexts(frame.texts)),
    { status, headers },
  );
}

/**
 * No script at all, one style element by its nonce. Browsers hold `form-action` against every redirect that follows a form,
 * so that it must allow the providers, wherever they send people in turn: https anywhere, and loopback for development.
 */
function contentSecurityPolicy(frame: ResponseFrame): string {
  const loopback = frame.origin.startsWith("http:") ? " http://localhost:* http://127.0.0.1:*" : "";
  return [
    "default-src 'none'",
    `style-src 'nonce-${frame.nonce}'`,
    "img-src 'self' data:",
    `form-action 'self' https:${loopback}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}
