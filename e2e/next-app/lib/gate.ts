import { type NextFetchEvent, type NextRequest, NextResponse } from "next/server";
import { auth, broken } from "./auth";

/** Middleware of the application's own: ours is called by it, and where the path says so one that is broken. */
export function gate(request: NextRequest, event: NextFetchEvent): Promise<Response> {
  if (request.nextUrl.pathname.startsWith("/broken-gate"))
    return broken.auth(() => NextResponse.next())(request, event);
  return auth(request, event);
}
