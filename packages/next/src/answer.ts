import { type Cookie, keepPrivate, withCookies } from "@cardea/core/operations";
import { type NextRequest, NextResponse } from "next/server.js";
import { currentRequest, setCookies } from "./server-request.ts";

/** Shows a renewed session to whatever runs after us for the same request: after middleware by the request itself. */
export async function showRenewedSession(
  request: NextRequest,
  context: unknown,
  cookies: readonly Cookie[],
): Promise<void> {
  // In a route handler by Next's cookies, so that a handler that changes the session or ends it has the last word.
  if (cookies.length > 0 && isRouteContext(context)) return setCookies(cookies);
  for (const { name, value } of cookies) {
    if (value === "") request.cookies.delete(name);
    else request.cookies.set(name, decodeURIComponent(value));
  }
}

/** The same for what middleware changed by Next's own cookies, which show it to the browser alone; edge API routes have none. */
export async function refreshRequestCookies(request: NextRequest, context: unknown): Promise<boolean> {
  const before = request.headers.get("cookie") ?? "";
  const read = async () => (await currentRequest()).headers.get("cookie") ?? "";
  const after = isRouteContext(context) ? before : await read().catch(() => before);
  if (after !== before) request.headers.set("cookie", after);
  return after !== before;
}

/** What middleware (nothing: the request goes on) or a route handler answers, with the cookies that are still to be set. */
export function addPendingCookies(
  given: Response = NextResponse.next(),
  request: NextRequest,
  context: unknown,
  cookies: readonly Cookie[],
  isChanged: boolean,
): Response {
  if (cookies.length === 0 && !isChanged) return given;
  const response = withCookies(new Response(given.body, given), isRouteContext(context) ? [] : cookies);
  const { headers } = response;
  keepPrivate(headers);
  const goesOn = headers.has("x-middleware-next") || headers.has("x-middleware-rewrite");
  // Middleware that named the headers itself took them from the request, where the renewed cookies are already.
  if (goesOn && !headers.has("x-middleware-override-headers")) overrideHeaders(headers, request);
  return response;
}

/** Gives the page the request's headers as they are now, but for those by which Next talks to itself. */
function overrideHeaders(headers: Headers, request: NextRequest): void {
  const forPage = new Headers([...request.headers].filter(([name]) => !name.startsWith("x-middleware-")));
  const override = NextResponse.next({ request: { headers: forPage } });
  for (const [name, value] of override.headers) if (name !== "x-middleware-next") headers.set(name, value);
}

/** Next gives route handlers their `params`, and middleware an event. */
const isRouteContext = (context: unknown): boolean =>
  typeof context === "object" && context !== null && "params" in context;
