import { type NextFetchEvent, type NextRequest, NextResponse } from "next/server";
import { auth, broken, signOut, unstable_update } from "./auth";

/** Middleware of the application's own, which changes or ends sessions, and is broken, where the address says so. */
export function gate(request: NextRequest, event: NextFetchEvent): Promise<Response> {
  const { pathname, searchParams } = request.nextUrl;
  if (pathname.startsWith("/broken-gate")) return broken.auth(() => NextResponse.next())(request, event);
  if (searchParams.has("rename")) return auth(rename)(request, event);
  return searchParams.has("leave") ? auth(leave)(request, event) : auth(request, event);
}

async function rename({ nextUrl }: NextRequest): Promise<void> {
  await unstable_update({ nick: nextUrl.searchParams.get("rename") });
}

async function leave(): Promise<void> {
  await signOut({ redirect: false });
}
