import { type NextRequest, NextResponse } from "next/server.js";
import { overrideHeaders } from "./answer.ts";

const REWRITE = "x-middleware-rewrite";

/** The path of the page that the browser shows. If it intercepts the requested one, Next.js renders that inside its layouts. */
const SHOWN = "next-url";

/**
 * Makes Next.js render what was decided about, if a response of middleware lets a request continue.
 *
 * 1. The request is rewritten to its own URL: the router would use the path as it was sent. Middleware does not see the suffix `.rsc`,
 *    with which a page for all paths responds, nor internal parameters.
 * 2. A client may name any page as the one that it shows. Unless that page may be opened as well, the header is removed, and the
 *    requested page responds.
 *
 * 3. A rewrite that a handler makes from its request has the public origin. It becomes one to the origin that Next.js knows.
 *
 * @param received the request of Next.js.
 * @param given the one that `authorized` or a handler received.
 * @param mayShow whether the page with this path may be opened.
 */
export async function pinTarget(
  response: Response,
  { received, given }: { readonly received: NextRequest; readonly given: NextRequest },
  mayShow: (path: string) => boolean | Promise<boolean>,
): Promise<Response> {
  const rewritten = response.headers.get(REWRITE);
  if (rewritten === null && !response.headers.has("x-middleware-next")) return response;
  const { nextUrl, headers } = received;
  const pinned = new NextResponse(response.body, response);
  const own = urlOfServer(received);
  pinned.headers.set(REWRITE, rewritten === null ? own : toReceived(rewritten, given, nextUrl));
  const shown = headers.get(SHOWN);
  if (shown !== null && !(await mayShow(`${nextUrl.basePath}${shown}`))) withhold(pinned.headers, headers);
  return pinned;
}

/**
 * The URL of a request by which Next.js recognizes its own server; to any other, it would send the request. For a server that listens on
 * 127.0.0.1, the URL says `localhost`, which is not the same to it: the host is put back. A custom server does not tell where it listens,
 * and has to be created with another host (docs/next.md#custom-server).
 */
function urlOfServer({ nextUrl }: NextRequest): string {
  const origin = process.env.__NEXT_PRIVATE_ORIGIN;
  if (origin === undefined || nextUrl.hostname !== "localhost") return nextUrl.href;
  nextUrl.hostname = new URL(origin).hostname;
  return nextUrl.href;
}

/** A rewrite to the origin that the handler's request has is one to a page of this server; Next.js would send it to the proxy. */
function toReceived(rewritten: string, given: NextRequest, { origin }: NextRequest["nextUrl"]): string {
  const shown = new URL(given.url).origin;
  const { origin: target, pathname, search } = new URL(rewritten, shown);
  return target === shown && shown !== origin ? `${origin}${pathname}${search}` : rewritten;
}

const OVERRIDES = "x-middleware-override-headers";

/** Removes the header from the request that the page receives. */
function withhold(headers: Headers, received: Headers): void {
  if (!headers.has(OVERRIDES)) overrideHeaders(headers, received);
  const names = headers.get(OVERRIDES)?.split(",") ?? [];
  headers.set(OVERRIDES, names.filter((name) => name.trim() !== SHOWN).join(","));
  headers.delete(`x-middleware-request-${SHOWN}`);
}
