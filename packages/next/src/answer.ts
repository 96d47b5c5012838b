import { type AddedCookies, type Authorization, type Cookie, keepPrivate, withCookies } from "@cardea/core/operations";
import { type NextRequest, NextResponse } from "next/server.js";
import { changeCookies, currentRequest, hasSetCookies, setCookies } from "./server-request.ts";

/**
 * Makes renewed cookies visible to later handlers of the same request; after middleware through the request itself.
 *
 * @param requests the one of Next.js, and the one that a handler receives.
 */
export async function showRenewedSession(
  requests: Iterable<NextRequest>,
  context: unknown,
  cookies: readonly Cookie[],
): Promise<void> {
  // In a route handler through Next's cookies, so that a handler that changes or ends the session takes precedence.
  if (cookies.length > 0 && isRouteContext(context)) return setCookies(cookies);
  if (cookies.length === 0) return;
  const changed = cookies.map(({ name, value }) => ({ name, value: decodeURIComponent(value) }));
  for (const request of requests) {
    const header = request.headers.get("cookie") ?? "";
    for (const { name, value } of changed) {
      if (value === "") request.cookies.delete(name);
      else request.cookies.set(name, value);
    }
    // Next writes one cookie of each name, the last; others keep all that the browser sent.
    request.headers.set("cookie", changeCookies(header, changed));
  }
}

/**
 * The same for cookies that middleware changed through Next's own API, which are otherwise visible to the browser only;
 * edge API routes have none.
 *
 * @returns whether the response will have such cookies: Next adds them to what a handler returns.
 */
export async function refreshRequestCookies(request: NextRequest, context: unknown): Promise<boolean> {
  if (isRouteContext(context)) return hasSetCookies();
  const before = request.headers.get("cookie") ?? "";
  const read = async () => (await currentRequest()).headers.get("cookie") ?? "";
  const after = await read().catch(() => before);
  if (after !== before) request.headers.set("cookie", after);
  return after !== before;
}

/** Adds the result of a guard to the response of middleware or of a route handler. */
export function addPendingCookies(
  given: Response,
  request: NextRequest,
  context: unknown,
  authorization: Authorization,
  isChanged: boolean,
): Response {
  if (authorization.cookies.length === 0 && !isChanged) return keepAdmitted(given, authorization);
  const isRoute = isRouteContext(context);
  const addition = isRoute ? { ...authorization, cookies: [] } : authorization;
  const response = withCookies(new Response(given.body, given), addition);
  const { headers } = response;
  if (isRoute) encodeForNext(headers);
  keepPrivate(headers);
  const goesOn = continues(headers);
  // Middleware that set the header overrides itself took them from the request, which already contains the renewed cookies.
  if (goesOn && !headers.has("x-middleware-override-headers")) overrideHeaders(headers, request.headers);
  return response;
}

/**
 * What a session admitted is private. After middleware that chooses nothing, Next would send `s-maxage` for a static page, and
 * `no-store` for others; ours takes its place, so it has both.
 */
function keepAdmitted(given: Response, authorization: AddedCookies): Response {
  const response = withCookies(given, authorization);
  if (response !== given && continues(response.headers)) keepPrivate(response.headers);
  return response;
}

/** Whether the response of middleware is that of a page, which Next has yet to make. */
const continues = (headers: Headers): boolean =>
  headers.has("x-middleware-next") || headers.has("x-middleware-rewrite");

/**
 * Encodes the cookies of a route handler's response once more. Next reads them to add those of `cookies()`, among which are the renewed
 * ones, and decodes their values twice: `100%25` would be an internal error, and `%252F` another value.
 */
function encodeForNext(headers: Headers): void {
  const lines = headers.getSetCookie();
  if (!lines.some((line) => line.includes("%")) || !decodesTwice()) return;
  headers.delete("set-cookie");
  for (const line of lines) headers.append("set-cookie", line.replace(/(?<=^[^=;]*=)[^;]*/, encodeOnceMore));
}

let isDecodedTwice: boolean | undefined;

/** Asked when it matters, not when the module loads: tests of applications replace `next/server` by less than it is. */
function decodesTwice(): boolean {
  isDecodedTwice ??= new NextResponse(null, { headers: { "set-cookie": "a=%2562" } }).cookies.get("a")?.value === "b";
  return isDecodedTwice;
}

function encodeOnceMore(value: string): string {
  if (!value.includes("%")) return value;
  const once = encodeURIComponent(value);
  return isEncoded(value) ? once : encodeURIComponent(once);
}

/** Whether a value can be decoded; `100%` and `%FF` cannot. */
function isEncoded(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

/** Passes these request headers to the page, except those that Next uses internally. */
export function overrideHeaders(headers: Headers, received: Headers): void {
  const forPage = new Headers([...received].filter(([name]) => !name.startsWith("x-middleware-")));
  const override = NextResponse.next({ request: { headers: forPage } });
  for (const [name, value] of override.headers) if (name !== "x-middleware-next") headers.set(name, value);
}

/** Next passes `params` to route handlers, and an event to middleware. */
export const isRouteContext = (context: unknown): boolean =>
  typeof context === "object" && context !== null && "params" in context;
