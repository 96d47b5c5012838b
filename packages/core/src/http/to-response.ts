import type { ActionContext } from "../model/context.ts";
import { loadOnce } from "../model/load-once.ts";
import type { AuthResult, Cookie } from "../model/result.ts";
import type { PageSurroundings } from "./page-response.ts";
import { OWN_HEADERS } from "./plain-response.ts";

/** The facts about a request that its response depends on. */
interface ResponseFrame extends PageSurroundings {
  readonly cookies: readonly Cookie[];
  /** The client requested `{ url }` instead of a redirect (`X-Auth-Return-Redirect`). */
  readonly returnRedirect: boolean;
}

/** Whether a POST has `X-Auth-Return-Redirect`: the client's script follows the URL itself (docs/behaviour.md#actions). */
export function wantsUrl(context: ActionContext): boolean {
  return context.request.method === "POST" && context.request.headers.has("x-auth-return-redirect");
}

/** Headers by name, in lower case. */
type Fields = Readonly<Record<string, string>>;

/** The headers that JSON has in addition. */
export const OF_JSON = { "content-type": "application/json", "x-content-type-options": "nosniff" };

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
      return makeResponse(null, 302, { ...OWN_HEADERS, location: result.url }, cookies);
    case "json":
      return json(result.body, result.status, cookies, result.headers);
    case "page":
      return appendCookies(
        (await loadPages()).pageResponse(result.page, result.status, { ...OWN_HEADERS, ...result.headers }, frame),
        cookies,
      );
    case "script":
      return (await loadPages()).scriptResponse(result.body, result.maxAge);
    case "empty":
      return makeResponse(null, result.status, { ...OWN_HEADERS, ...result.headers }, cookies);
  }
}

function json(body: unknown, status: number, cookies: readonly string[], fields?: Fields): Response {
  return makeResponse(JSON.stringify(body ?? null), status, { ...OWN_HEADERS, ...fields, ...OF_JSON }, cookies);
}

/**
 * @param headers an object for this response only: where a framework replaces `Response`, the response may keep it and change
 *   it. Runtimes read it faster than a list.
 */
function makeResponse(body: string | null, status: number, headers: Fields, cookies: readonly string[]): Response {
  return appendCookies(new Response(body, { status, headers }), cookies);
}

function appendCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}
