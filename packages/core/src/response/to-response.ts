import { loadOnce } from "../model/load-once.ts";
import type { AuthResult, Cookie } from "../model/result.ts";
import type { PageSurroundings } from "./page-response.ts";

/** What a response needs in addition to the result. */
export interface ResponseFrame extends PageSurroundings {
  readonly cookies: readonly Cookie[];
  /** The client requested `{ url }` instead of a redirect (`X-Auth-Return-Redirect`). */
  readonly returnRedirect: boolean;
}

/** No cache may store the response, because it depends on cookies (docs/behaviour.md#actions; ASVS 14.3.2). */
const NO_STORE = { "cache-control": "private, no-cache, no-store", expires: "0", pragma: "no-cache" };

/** The URL of a request may contain a code or a token, which a page behind a redirect must not learn (RFC 9700 §4.2.4). */
const NO_REFERRER = { "referrer-policy": "no-referrer" };

const NO_SNIFF = { "x-content-type-options": "nosniff" };

/** Headers by name, in lower case. */
type Fields = Readonly<Record<string, string>>;

/** API clients, and applications with their own pages, need no page; most requests set no cookie (decisions/012). */
const loadPages = loadOnce(() => import("./page-response.ts"));
const loadCookieWriter = loadOnce(() => import("./serialize-cookie.ts"));

/** Converts the result of an action to a `Response`; the only writer of `Set-Cookie`. */
export async function toResponse(result: AuthResult, frame: ResponseFrame): Promise<Response> {
  const cookies = frame.cookies.length === 0 ? [] : frame.cookies.map((await loadCookieWriter()).serializeCookie);
  switch (result.kind) {
    case "redirect":
      if (frame.returnRedirect) {
        return json({ url: result.url, ...result.body }, result.status ?? 200, cookies, result.headers);
      }
      return new Response(null, { status: 302, headers: headersOf(cookies, { location: result.url }) });
    case "json":
      return json(result.body, result.status, cookies, result.headers);
    case "page":
      return (await loadPages()).pageResponse(result.page, result.status, new Headers(headersOf(cookies)), frame);
    case "script":
      return script(result.body, result.maxAge);
    case "empty":
      return new Response(null, { status: result.status, headers: headersOf(cookies, result.headers) });
  }
}

/** All headers of an answer as one list: a `Headers` that is changed one by one takes several times as long. */
function headersOf(cookies: readonly string[], fields: Fields = {}): [string, string][] {
  const lines = Object.entries({ ...NO_STORE, ...NO_REFERRER, ...fields });
  for (const cookie of cookies) lines.push(["set-cookie", cookie]);
  return lines;
}

function json(body: unknown, status: number, cookies: readonly string[], fields: Fields = {}): Response {
  const headers = headersOf(cookies, { ...fields, "content-type": "application/json", ...NO_SNIFF });
  return new Response(JSON.stringify(body ?? null), { status, headers });
}

/** The only response that is the same for everyone, so it carries no cookie and may be cached. */
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
