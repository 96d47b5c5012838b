import { createAuth } from "@cardea/next";
import type { NextFetchEvent, NextRequest } from "next/server";
import { auth } from "./auth";
import { config } from "./config";
import { journeys } from "./journeys";

/** Without a renewal: what remains is that a session admitted the request. */
const admitting = createAuth({ ...config, session: {}, callbacks: { authorized: (asked) => asked.auth !== null } });

/** Each of the two applications has its own guard; a path that only looks like one of the journeys is not theirs. */
export function proxyOfAll(request: NextRequest, event: NextFetchEvent): Promise<Response> {
  const { pathname, searchParams } = request.nextUrl;
  if (searchParams.has("admitting")) return admitting.auth(request, event);
  const guard = pathname.startsWith("/journeys/") ? journeys.auth : auth;
  return guard(request, event);
}
