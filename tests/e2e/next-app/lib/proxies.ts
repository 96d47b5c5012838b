import type { NextFetchEvent, NextRequest } from "next/server";
import { auth } from "./auth";
import { journeys } from "./journeys";

/** Each of the two applications has its own guard; a path that only looks like one of the journeys is not theirs. */
export function proxyOfAll(request: NextRequest, event: NextFetchEvent): Promise<Response> {
  const guard = request.nextUrl.pathname.startsWith("/journeys/") ? journeys.auth : auth;
  return guard(request, event);
}
