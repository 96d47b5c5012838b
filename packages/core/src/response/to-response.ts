import { loadOnce } from "../model/load-once.ts";
import type { AuthResult, Cookie } from "../model/result.ts";
import type { PageSurroundings } from "./page-response.ts";

/** The facts about a request that its response depends on. */
export interface ResponseFrame extends PageSurroundings {
  readonly cookies: readonly Cookie[];
  /** The client requested `{ url }` instead of a redirect (`X-Auth-Return-Redirect`). */
  readonly returnRedirect: boolean;
}

/** No cache may store the response, because it depends on cookies (docs/behaviour.md#actions; ASVS 14.3.2). */
const NO_STORE = { "cache-control": "private, no-cache, no-store", expires: "0", pragma: "no-cache" };

/** The URL of a request may contain a code or a token, which must not leak to the redirect target (RFC 9700 §4.2.4). */
const NO_REFERRER = { "referrer-policy": "no-referrer" };

const NO_SNIFF = { "x-content-type-options": "nosniff" };

/** Headers by name, in lower case. */
type Fields = Readonly<Record<string, string>>;

/** Loaded on demand: API clients and applications with their own pages need none, and most requests set no cookie (decisions/012). */
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
      return new Response(null, { status: 302, headers: withCookies([...COMMON, ["location", result.url]], cookies) });
    case "json":
      return json(result.body, result.status, cookies, result.headers);
    case "page":
      return (await loadPages()).pageResponse(
        result.page,
        result.status,
        new Headers(headersOf(cookies, result.headers)),
        frame,
      );
    case "script":
      return script(result.body, result.maxAge);
    case "empty":
      return new Response(null, { status: result.status, headers: headersOf(cookies, result.headers) });
  }
}

/** All headers of a response as one list: adding them to a `Headers` one by one takes several times as long. */
type Lines = [string, string][];

/** Created once: merging these objects for each response takes a tenth of its time. */
const COMMON: Readonly<Lines> = Object.entries({ ...NO_STORE, ...NO_REFERRER });
const OF_JSON = { "content-type": "application/json", ...NO_SNIFF };
const JSON_LINES: Readonly<Lines> = [...COMMON, ...Object.entries(OF_JSON)];

function headersOf(cookies: readonly string[], fields: Fields = {}): Lines {
  return withCookies(Object.entries({ ...NO_STORE, ...NO_REFERRER, ...fields }), cookies);
}

function withCookies(lines: Lines, cookies: readonly string[]): Lines {
  for (const cookie of cookies) lines.push(["set-cookie", cookie]);
  return lines;
}

function json(body: unknown, status: number, cookies: readonly string[], fields?: Fields): Response {
  const headers = fields ? headersOf(cookies, { ...fields, ...OF_JSON }) : withCookies([...JSON_LINES], cookies);
  return new Response(JSON.stringify(body ?? null), { status, headers });
}

/** The only response that is the same for everyone, so it carries no cookie and may be cached. */
function script(body: string, maxAge: number): Response {
  const kept = maxAge > 0 ? `public, max-age=${maxAge}, immutable` : "no-cache";
  const headers = {
    "cache-control": kept,
    "content-type": "text/javascript; charset=utf-8",
    "cross-origin-resource-policy": "same-origin",
    ...NO_REFERRER,
    ...NO_SNIFF,
  };
  return new Response(body, { status: 200, headers });
}
