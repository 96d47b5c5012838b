import { stringifySetCookie } from "cookie";
import type { AuthResult, Cookie } from "../model/result.ts";
import type { PageSurroundings } from "./page-response.ts";

/** What a response needs to know beside the result. */
export interface ResponseFrame extends PageSurroundings {
  readonly cookies: readonly Cookie[];
  /** The client asked for `{ url }` instead of a redirect (`X-Auth-Return-Redirect`). */
  readonly returnRedirect: boolean;
}

/** Nothing here may be kept by a cache: it depends on cookies (docs/behaviour.md#actions; ASVS 14.3.2). */
const NO_STORE = { "cache-control": "private, no-cache, no-store", expires: "0", pragma: "no-cache" };

/** The URL of a request may hold a code or a token; a page behind a redirect must not learn it (RFC 9700 §4.2.4). */
const NO_REFERRER = { "referrer-policy": "no-referrer" };

/** Turns the result of an action into a `Response`; the only writer of `Set-Cookie`. */
export async function toResponse(result: AuthResult, frame: ResponseFrame): Promise<Response> {
  const headers = new Headers({ ...NO_STORE, ...NO_REFERRER });
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
      // Loaded with the first page that is shown: programs, and applications with pages of their own, need none.
      return (await import("./page-response.ts")).pageResponse(result.page, result.status, headers, frame);
    case "script":
      return script(result.body, result.maxAge);
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

/** The one answer that depends on nobody, so that it carries no cookie and may be kept. */
function script(body: string, maxAge: number): Response {
  const kept = maxAge > 0 ? `public, max-age=${maxAge}, immutable` : "no-cache";
  const headers = {
    "cache-control": kept,
    "content-type": "text/javascript; charset=utf-8",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
  return new Response(body, { status: 200, headers });
}
