/** `withAuth` of NextAuth v4 for middleware of Next.js, on sessions of Cardea. */

import { SessionUnavailable } from "@cardea/core/errors";
import { getToken, type JWT } from "@cardea/core/jwt";
import type { NextFetchEvent, NextRequest } from "next/server.js";
import { bridge } from "./bridge.ts";

type Awaitable<T> = T | Promise<T>;

/** What middleware may return; nothing lets the request continue. */
// biome-ignore lint/suspicious/noConfusingVoidType: middleware may return nothing
type MiddlewareResult = Awaitable<Response | null | undefined | void>;

/** A request that {@link withAuth} let through. */
export interface NextRequestWithAuth extends NextRequest {
  /** The claims of the session; null for a visitor whom `callbacks.authorized` let through. */
  nextauth: { token: JWT | null };
}

/** Middleware that runs for requests that {@link withAuth} lets through. */
export type NextMiddlewareWithAuth = (request: NextRequestWithAuth, event: NextFetchEvent) => MiddlewareResult;

/** Options of {@link withAuth}. */
export interface NextAuthMiddlewareOptions {
  /** The application's own pages, which are open to visitors; default: those below `/api/auth`. Others are not read. */
  readonly pages?: { readonly signIn?: string | undefined; readonly error?: string | undefined } | undefined;
  /** The name of NextAuth's session cookie, if it was configured. */
  readonly cookies?: { readonly sessionToken?: { readonly name?: string | undefined } | undefined } | undefined;
  /** The function that decrypts Cardea's session cookie, if one is configured. */
  readonly jwt?: { readonly decode?: Parameters<typeof getToken>[0]["decode"] } | undefined;
  /** Decisions of the application. */
  readonly callbacks?:
    | {
        /** Whether the request continues: any true value. Without a result, whether there is a session. */
        readonly authorized?: // biome-ignore lint/suspicious/noConfusingVoidType: the callback may return nothing
        ((params: { token: JWT | null; req: NextRequest }) => Awaitable<boolean | null | undefined | void>) | undefined;
      }
    | undefined;
  /** Default: `AUTH_SECRET` and its rotated predecessors. */
  readonly secret?: string | undefined;
}

/** The arguments of {@link withAuth}. */
export type WithAuthArgs =
  | [NextRequest, (NextFetchEvent | NextAuthMiddlewareOptions)?]
  | [NextMiddlewareWithAuth, NextAuthMiddlewareOptions?]
  | [NextAuthMiddlewareOptions];

type OnSuccess = (token: JWT | null) => MiddlewareResult;

/** Paths of Next.js that need no session, with everything below them. */
const PUBLIC_PATHS = ["/_next", "/favicon.ico"];

/**
 * Guards pages as NextAuth v4 did, in each of its forms: as middleware, with a request, with a handler, with options.
 *
 * 1. The routes of the library, the configured sign-in and error pages, and the paths of Next.js are let through, without the
 *    handler. Routes and paths are compared by segments.
 * 2. `authorized` decides with the claims of the session, Cardea's or NextAuth's. Without a result, a session decides.
 * 3. A request that is let through runs the handler, with the claims as `req.nextauth.token`. Nothing is renewed.
 * 4. Any other one is redirected to the sign-in page, with the way back.
 * 5. A session that only `auth()` can check gets 503.
 */
export function withAuth(
  req: NextRequest,
  eventOrOptions?: NextFetchEvent | NextAuthMiddlewareOptions,
): MiddlewareResult;
export function withAuth(
  middleware: NextMiddlewareWithAuth,
  options?: NextAuthMiddlewareOptions,
): NextMiddlewareWithAuth;
export function withAuth(options: NextAuthMiddlewareOptions): NextMiddlewareWithAuth;
export function withAuth(
  first: NextRequest | NextMiddlewareWithAuth | NextAuthMiddlewareOptions,
  second?: unknown,
): MiddlewareResult | NextMiddlewareWithAuth {
  // The second argument of middleware is an event, which has none of the options.
  if (typeof first !== "function") {
    // Not by its class: what else runs in the process may have replaced the global `Request`.
    return "nextUrl" in first ? guard(first, Object(second)) : (request) => guard(request, first);
  }
  return (request, event) =>
    guard(request, Object(second), (token) => {
      request.nextauth = { token };
      return first(request, event);
    });
}

export default withAuth;

async function guard(
  req: NextRequest,
  options: NextAuthMiddlewareOptions,
  onSuccess: OnSuccess = () => undefined,
): Promise<Awaited<MiddlewareResult>> {
  const { pathname, search, origin, basePath } = req.nextUrl;
  const signIn = options.pages?.signIn ?? "/api/auth/signin";
  const isOwnPage = pathname === signIn || pathname === (options.pages?.error ?? "/api/auth/error");
  const isPublic = PUBLIC_PATHS.some((path) => isWithin(pathname, path));
  if (isOwnPage || isPublic || isWithin(`${basePath}${pathname}`, routesPath())) return undefined;
  const token = await tokenOf(req, options).catch(unavailable);
  if (token instanceof Response) return token;
  if ((await options.callbacks?.authorized?.({ req, token })) ?? token !== null) return onSuccess(token);
  const location = new URL(`${basePath}${signIn}`, origin);
  location.searchParams.append("callbackUrl", `${basePath}${pathname}${search}`);
  return new Response(null, { status: 307, headers: { location: location.href } });
}

function tokenOf(req: NextRequest, { cookies, jwt, secret }: NextAuthMiddlewareOptions): Promise<JWT | null> {
  const extensions = [bridge({ accept: [{ format: "nextauth-v4", cookie: cookies?.sessionToken?.name }] })];
  return getToken({ req, extensions, secret, decode: jwt?.decode });
}

/** Access is denied, but no one is signed out: the session needs a check that only `auth()` can make (docs/sessions.md). */
function unavailable(error: unknown): Response {
  if (!(error instanceof SessionUnavailable)) throw error;
  console.error(`[cardea][error] ${error.name}: ${error.message}`);
  return new Response(null, { status: 503, headers: { "retry-after": "10" } });
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The path of the library's routes: that of `AUTH_URL`, whose scheme may be missing, as in NextAuth. */
function routesPath(): string {
  const given = process.env.AUTH_URL ?? process.env.NEXTAUTH_URL ?? "";
  const path = given === "" ? "/" : new URL(given.startsWith("http") ? given : `https://${given}`).pathname;
  return path === "/" ? "/api/auth" : path.replace(/\/$/, "");
}
