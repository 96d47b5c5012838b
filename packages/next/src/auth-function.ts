import type { IncomingMessage, ServerResponse } from "node:http";
import {
  addNodeCookies,
  authorizeRequest,
  type ConfigResolver,
  denyUnavailable,
  logWarning,
  type ResolvedConfig,
  readSession,
  rejectHost,
  rejectPath,
} from "@cardea/core/operations";
import { NextRequest, NextResponse } from "next/server.js";
import * as React from "react";
import { addPendingCookies, isRouteContext, refreshRequestCookies, showRenewedSession } from "./answer.ts";
import { strippedPathOf } from "./app-path.ts";
import { assume } from "./assume.ts";
import { toOperationRequest } from "./pages-router.ts";
import { pinTarget } from "./pin-target.ts";
import { publicRequest, withPathOf } from "./public-request.ts";
import { currentRequest } from "./server-request.ts";
import type { AuthFunction } from "./types.ts";

type Handler = (request: NextRequest & { auth: unknown }, context: unknown) => Response | null | undefined;
type First = Handler | NextRequest | IncomingMessage | { readonly req: IncomingMessage; readonly res: ServerResponse };

/**
 * Whether the argument is a request of the Fetch standard, as middleware and route handlers receive. Told by its headers and not by its class:
 * what else runs in the process may have replaced the global `Request`, as `@hono/node-server` does, and a guard must not take the
 * request for one of the Pages Router then.
 */
function isFetchRequest(first: Exclude<First, Handler>): first is NextRequest {
  return "headers" in first && typeof Object(first.headers).get === "function";
}

const NO_MATCHER =
  "next-matcher: the proxy or middleware denied a file of /_next/static/, which pages need. Export a `config` with a `matcher` that excludes this folder (docs/getting-started-next.md#6-protect-every-page-by-default).";

/** Caches what server components read until their request is complete. React 18 has no `cache`, and no server components. */
const { cache = <T>(read: T): T => read }: Partial<Pick<typeof React, "cache">> = { ...React };

/**
 * One function for all uses, distinguished by its arguments.
 *
 * @param isLazy whether the configuration is created per request.
 */
export function createAuthFunction<S>(resolve: ConfigResolver, isLazy: boolean): AuthFunction<S> {
  const readCurrent = cache(async () => {
    // Must come first: during the build there is no request, and Next must learn that we need one.
    const request = await currentRequest();
    return (await readSession(await resolve(), request, "look")).session;
  });
  const readNode = async (incoming: IncomingMessage, response?: ServerResponse) => {
    const request = toOperationRequest(incoming);
    const config = await resolve(isLazy ? new NextRequest(request.url, request) : undefined);
    const mode = response?.headersSent === false ? "renew" : "look";
    const { session, cookies } = await readSession(config, request, mode);
    if (response?.headersSent === false) addNodeCookies(response, { cookies });
    return session;
  };
  let isWarned = false;
  /** Such a page is white, or has no styles, and nothing says why. */
  const warnOfMatcher = (config: ResolvedConfig, { nextUrl }: NextRequest) => {
    if (isWarned || !nextUrl.pathname.startsWith("/_next/static/")) return;
    isWarned = true;
    logWarning(config, NO_MATCHER);
  };
  const guard = (handler?: Handler) => async (request: NextRequest, context: unknown) => {
    const strippedPath = strippedPathOf(request);
    const path = `${strippedPath}${new URL(request.url).pathname}`;
    const refused = rejectPath(path) ?? rejectHost(request.headers.get("host"));
    if (refused !== null) return refused;
    const config = await resolve(request);
    const isJudged = handler !== undefined || config.callbacks.authorized !== undefined;
    const shown = isJudged ? publicRequest(request, config) : request;
    const options = { strippedPath, withPath: withPathOf(shown) };
    const authorization = await authorizeRequest(config, shown, options).catch(denyUnavailable);
    const { session, cookies } = authorization;
    if (authorization.kind === "deny") warnOfMatcher(config, request);
    await showRenewedSession(new Set([request, shown]), context, cookies);
    const run = () => handler?.(Object.assign(shown, { auth: session }), context);
    const response = authorization.kind === "deny" ? authorization.response : await run();
    const isChanged = handler !== undefined && (await refreshRequestCookies(shown, context));
    const complete = addPendingCookies(response ?? NextResponse.next(), shown, context, authorization, isChanged);
    if (!isJudged || isRouteContext(context)) return complete;
    // A handler that decides itself is not asked about a second page.
    const { mayOpen = () => session !== null } = authorization.kind === "allow" ? authorization : {};
    return pinTarget(complete, { received: request, given: shown }, mayOpen);
  };
  return assume<AuthFunction<S>>((first?: First, second?: ServerResponse) => {
    if (first === undefined) return readCurrent();
    if (typeof first === "function") return guard(first);
    if (isFetchRequest(first)) return guard()(first, second);
    return "req" in first ? readNode(first.req, first.res) : readNode(first, second);
  });
}
